/** A number in any language's format. Such a cell is never a formula, whatever its sign. */
const FIGURE = /^[-+]?[\d\s.,\u202f\u00a0]*\d%?$/;

/**
 * Rows as CSV (RFC 4180) with a byte order mark, so that spreadsheets read them as UTF-8. Text that a spreadsheet would
 * run as a formula gets a leading apostrophe.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map(row => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !FIGURE.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
