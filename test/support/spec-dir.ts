import { existsSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(__dirname, '../..', process.env['PERCH_SPEC_DIR'] ?? '../shared/data');

/**
 * The folder with the official JSON Schema of each protocol revision, or undefined on a machine that has none. Tests that need it are then
 * left out with a line on stderr; where `PERCH_REQUIRE_SPEC=1`, they fail instead.
 *
 *     const describeWithSpec = specDir() === undefined ? describe.skip : describe;
 */
export function specDir(): string | undefined {
  if (existsSync(folder)) return folder;
  if (process.env['PERCH_REQUIRE_SPEC'] === '1')
    throw new Error(`The schemas of the specification are not in ${folder}; set PERCH_SPEC_DIR`);
  process.stderr.write('Left out: the tests against the schemas of the specification, which PERCH_SPEC_DIR would name\n');
  return undefined;
}
