import type { TransportHandle } from '../contracts/transport';
import { within, type OpenDoors } from './open-doors';

/** Lets a program close one door and keep the others: nothing new comes in, what runs is answered within the grace period, then it is shut. */
export function loneHandle(handle: TransportHandle, doors: OpenDoors, graceMs: number): TransportHandle {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // At the end of the application all doors are waited for together, before.
    if (!doors.isClosing) {
      handle.stopAccepting();
      await within(graceMs, handle.whenAnswered());
    }
    await handle.close();
    doors.remove(lone);
  };
  const lone: TransportHandle = Object.freeze({ ...handle, close: () => (closed ??= close()) });
  return lone;
}
