import { HOST, HTTP_SOCKET, PORT, SOCKET } from './http-place';
import type { Setting } from './read-setting';
import { TRANSPORT } from './transports';

/** Everything that can be said by flags and variables as well as by options; docs/configuration.md has them in a table. */
export const SETTINGS: readonly Omit<Setting<unknown>, 'keyOf'>[] = Object.freeze([TRANSPORT, HOST, PORT, SOCKET, HTTP_SOCKET]);
