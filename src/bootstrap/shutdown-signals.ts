const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Runs `close` on the first SIGTERM or SIGINT and exits with the code it resolves to; a second signal exits at once. Returns the way to
 * stop listening for signals.
 */
export function closeOnSignals(close: (signal: NodeJS.Signals) => Promise<number>): () => void {
  let isClosing = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isClosing) process.exit(1);
    isClosing = true;
    close(signal).then(
      (code) => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
