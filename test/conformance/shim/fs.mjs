import fs from 'node:fs';

export * from 'node:fs';
export default fs;

/** The server scenarios never call it. */
export const globSync =
  fs.globSync ??
  (() => {
    throw new Error('fs.globSync needs Node 22');
  });
