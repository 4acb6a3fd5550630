import type { TransportHandle } from '../contracts/transport';
import { within, type OpenDoors } from './open-doors';

/** One door, and how long what came in through it is given at its end. */
export interface LoneDoor {
  readonly door: object;
  readonly graceMs: number;
}

/** Lets a program close one door and keep the others: nothing new comes in, what runs is answered within the grace period, the rest is aborted and answered, then it is shut. */
export function loneHandle(handle: TransportHandle, doors: OpenDoors, { door, graceMs }: LoneDoor): TransportHandle {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // At the end of the application all doors are waited for together, before.
    if (!doors.isClosing) {
      handle.stopAccepting();
      await within(graceMs, handle.whenAnswered());
      await doors.cutOff(door, handle);
    }
    await handle.close();
    doors.remove(lone);
  };
  const lone: TransportHandle = Object.freeze({ ...handle, close: () => (closed ??= close()) });
  return lone;
}
