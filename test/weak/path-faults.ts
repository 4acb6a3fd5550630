const ALLOWED = ['/data', '/data/', '/data/x', '/data/./x', '//data//x'];
const DENIED = ['/data2', '/data-x', '/dat', '/etc', '/data/../etc', '/data/a/../../b', 'data/x', '', '/'];

/** What is wrong with the decisions of something that allows `/data`. */
export function pathFaults(allows: (path: string) => boolean): string[] {
  return [
    ...ALLOWED.filter((path) => !allows(path)).map((path) => `${path} is denied`),
    ...DENIED.filter((path) => allows(path)).map((path) => `${path} is allowed`),
  ];
}
