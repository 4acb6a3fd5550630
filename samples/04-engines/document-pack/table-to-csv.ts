import { textOf, type Call } from './call';

type Rows = readonly (readonly string[])[];

const DELIMITER_ROW = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** Reads a Markdown table, or columns that tabs or two spaces keep apart, and writes CSV as RFC 4180 has it. */
export class TableToCsvEngine {
  readonly id = 'document.table_to_csv';
  readonly name = 'Table to CSV';
  readonly description =
    'Converts a table to CSV (RFC 4180). Arguments: table, a string: a Markdown table, or lines whose columns tabs or two spaces keep apart.';
  readonly version = '2.0.0';

  execute({ request }: Call<{ table: string }>) {
    const rows = readTable(textOf(request.input, 'table'));
    return { csv: rows.map(toRecord).join(''), rows: rows.length, columns: rows[0]?.length ?? 0 };
  }
}

function readTable(table: string): Rows {
  const lines = table.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  const [header = '', second = '', ...body] = lines;
  return header.includes('|') && DELIMITER_ROW.test(second) ? readMarkdown([header, ...body]) : readColumns(lines);
}

/** As Markdown has it: what a row has too little is empty, and what it has too much is left out. */
function readMarkdown(lines: readonly string[]): Rows {
  const rows = lines.map(markdownCells);
  const width = rows[0]?.length ?? 0;
  return rows.map((cells) => Array.from({ length: width }, (_, column) => cells[column] ?? ''));
}

function markdownCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .trim()
      .replaceAll('\\|', '|')
      .replace(/<br\s*\/?>/gi, '\n'),
  );
}

/** Here nothing says which column is missing, so a row of another width is an error. */
function readColumns(lines: readonly string[]): Rows {
  const rows = lines.map((line) => (line.includes('\t') ? line.split('\t').map((cell) => cell.trim()) : line.trim().split(/ {2,}/)));
  const width = rows[0]?.length ?? 0;
  const ragged = rows.findIndex((cells) => cells.length !== width);
  if (ragged === -1) return rows;
  throw new Error(`The first row has ${String(width)} columns, and row ${String(ragged + 1)} has ${String(rows[ragged]?.length)}.`);
}

function toRecord(cells: readonly string[]): string {
  const fields = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${fields.join(',')}\r\n`;
}
