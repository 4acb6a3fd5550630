import { isPlainWindowsPath } from '../../../src/policy/paths/windows-path';

test.each(['C:\\', 'c:\\data', 'C:/data/x.txt', 'C:\\data\\..\\x', 'C:\\data\\.\\x', 'C:\\data\\', 'D:\\a b\\c'])(
  '"%s" is a plain path',
  (path) => {
    expect(isPlainWindowsPath(path)).toBe(true);
  },
);

test.each([
  '/data',
  '\\data',
  'C:',
  'C:data',
  '\\\\server\\share\\x',
  '//server/share/x',
  '\\\\?\\C:\\data',
  '\\\\.\\pipe\\x',
  '\\\\.\\C:\\data',
  'C:\\data\\x:stream',
  'C:\\data::$DATA',
  'C:\\data.\\x',
  'C:\\data \\x',
  'C:\\data\\x.',
  'C:\\data\\...\\x',
  'C:\\PROGRA~1\\x',
  'C:\\data\\NUL',
  'C:\\data\\con.txt',
  'C:\\data\\LPT1',
  'C:\\data\\x?',
  'C:\\data\\*',
  'C:\\data\\"x"',
])('"%s" is none: Windows reads it as another path, or as none', (path) => {
  expect(isPlainWindowsPath(path)).toBe(false);
});
