import { stringify } from 'csv-stringify/sync';

/** What begins like a formula is run by a spreadsheet (ASVS 5.0 1.2.10): it gets an apostrophe before it. */
export function toCsv<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | null>>,
): string {
  const names = Object.keys(columns);
  const cells = rows.map(row => names.map(name => columns[name]?.(row) ?? ''));
  // Spreadsheets take a file for UTF-8 by its byte order mark only.
  return stringify([names, ...cells], { escape_formulas: true, bom: true, record_delimiter: 'windows' });
}
