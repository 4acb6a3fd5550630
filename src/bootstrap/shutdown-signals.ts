const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Closes one application, and resolves with the exit code it asks for. */
type Close = (signal: NodeJS.Signals) => Promise<number>;

/** The applications of this process that want to be closed by a signal. The process is one, whatever lives in it. */
const applications = new Set<Close>();
let isClosing = false;

/**
 * Runs `close` on the first SIGTERM or SIGINT. The process exits once every application that asked for this is closed, with the highest
 * code; a second signal exits at once. Returns the way to stop listening for signals.
 */
export function closeOnSignals(close: Close): () => void {
  if (applications.size === 0) for (const signal of SIGNALS) process.on(signal, onSignal);
  applications.add(close);
  return () => {
    if (!applications.delete(close) || applications.size > 0 || isClosing) return;
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

function onSignal(signal: NodeJS.Signals): void {
  if (isClosing) process.exit(1);
  isClosing = true;
  const closing = [...applications].map((close) => close(signal).catch(() => 1));
  void Promise.all(closing).then((codes) => process.exit(Math.max(...codes)));
}
