export function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/** Joins CSV files into one: the header of the first and the rows of all. */
export function joinCsv(files: readonly string[]): string {
  const [first = '', ...others] = files;
  const rows = others.map(text => text.slice(text.indexOf('\n') + 1));
  return [first, ...rows].map((text, i) => (text.endsWith('\n') || i === rows.length ? text : `${text}\n`)).join('');
}
