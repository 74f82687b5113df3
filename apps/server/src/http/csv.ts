import { stringify } from 'csv-stringify/sync';
import { turn } from '../workers/turns.ts';

/** A spreadsheet runs a cell that starts like a formula (ASVS 5.0 1.2.10), so such cells get an apostrophe in front. */
export async function toCsv<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | null>>,
): Promise<string> {
  const names = Object.keys(columns);
  // Spreadsheets recognize UTF-8 only by the byte order mark.
  const pieces = [stringify([names], { ...FORMAT, bom: true })];
  for (let at = 0; at < rows.length; at += ROWS_A_TURN) {
    if (at > 0) await turn();
    const cells = rows.slice(at, at + ROWS_A_TURN).map(row => names.map(name => columns[name]?.(row) ?? ''));
    pieces.push(stringify(cells, FORMAT));
  }
  return pieces.join('');
}

const FORMAT = { escape_formulas: true, record_delimiter: 'windows' } as const;
const ROWS_A_TURN = 100;
