/** A figure as it is written in any language: such a cell is no formula, whatever its sign. */
const FIGURE = /^[-+]?[\d\s.,\u202f\u00a0]*\d%?$/;

/**
 * Rows as CSV (RFC 4180) with the mark by which spreadsheets know UTF-8. A text that a spreadsheet would run as a
 * formula gets an apostrophe before it.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map(row => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !FIGURE.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
