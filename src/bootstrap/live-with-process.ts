import type { ResolvedListenOptions } from './listen-options';
import { watchLoop } from './loop-watch';
import { endWithProcess, type Ending } from './process-end';

/** An application that begins to listen. */
export type Listening = Pick<Ending, 'close' | 'logger'> & Pick<ResolvedListenOptions, 'shutdownHooks' | 'unhandledRejections'>;

/** Ends it with the process, where it has not asked to be left out of that, and watches the event loop. Returns the way to stop both. */
export function liveWithProcess({ close, logger, shutdownHooks, unhandledRejections }: Listening): () => void {
  const stopWatching = watchLoop(logger);
  const leave = shutdownHooks ? endWithProcess({ close, logger, unhandledRejections }) : undefined;
  return () => {
    stopWatching();
    leave?.();
  };
}
