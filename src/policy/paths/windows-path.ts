const FORBIDDEN_IN_A_NAME = /[:*?"<>|]|[. ]$|~\d/;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

/**
 * True for `C:\…` without anything that Windows reads as another path than the one written: device and network names, streams, short
 * names, names that end in a dot or a space.
 */
export function isPlainWindowsPath(value: string): boolean {
  if (!/^[a-z]:[\\/]/i.test(value)) return false;
  const names = value.slice(3).split(/[\\/]/);
  return names.every((name) => name === '.' || name === '..' || !(FORBIDDEN_IN_A_NAME.test(name) || DEVICE.test(name)));
}
