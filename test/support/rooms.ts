import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A row of the room table: one room, or two that share it. */
export interface RoomRow {
  readonly rooms: readonly string[];
  readonly sentence: string;
  /** One list for each room of the row, or the phrase that stands for it. */
  readonly mayImport: readonly (readonly string[])[] | 'all of the above' | 'nothing; all may import it';
}

export interface PackageRule {
  readonly packages: readonly string[];
  readonly rooms: readonly string[];
  readonly typesAnywhere: boolean;
}

/** The rules of src as data: test/support/rooms.json, which the linter reads too. */
export interface Design {
  readonly tables: readonly (readonly RoomRow[])[];
  readonly packages: readonly PackageRule[];
  readonly barrels: readonly string[];
  readonly rootFiles: readonly string[];
  readonly maxFileLines: number;
  readonly maxFunctionLines: number;
}

export const design = JSON.parse(readFileSync(path.join(__dirname, 'rooms.json'), 'utf8')) as Design;

/** Which rooms each room may import, itself left out. */
export function arrowsOf({ tables }: Design): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = tables.flat();
  const shared = rows.filter((row) => row.mayImport === 'nothing; all may import it').flatMap((row) => row.rooms);
  const arrows = new Map<string, ReadonlySet<string>>();
  for (const row of rows) {
    for (const [index, room] of row.rooms.entries()) {
      if (row.mayImport === 'nothing; all may import it') arrows.set(room, new Set());
      else if (row.mayImport === 'all of the above') arrows.set(room, new Set([...arrows.keys(), ...shared]));
      else arrows.set(room, new Set([...(row.mayImport[index] ?? []), ...shared]));
    }
  }
  return arrows;
}

/** The table as src/README.md shows it: a header, a rule, a line for each row. */
export function renderTable(rows: readonly RoomRow[]): string {
  const lines = rows.map((row) => `| ${row.rooms.map((room) => `\`${room}/\``).join(', ')} | ${row.sentence} | ${renderImports(row)} |`);
  return ['| room under src/ | one sentence | may import |', '|---|---|---|', ...lines].join('\n');
}

function renderImports({ mayImport }: RoomRow): string {
  if (typeof mayImport === 'string') return mayImport;
  return mayImport.map((each) => each.join(', ') || '–').join('; ');
}
