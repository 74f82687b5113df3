/** Country, network, area and cell of a cell tower, in the makers' different notations. */

const isCountry = (mcc: number): boolean => (mcc >= 202 && mcc <= 750) || mcc === 901;

/** Decimal, hexadecimal, or decimal with area and cell hexadecimal. */
const NOTATIONS: readonly (readonly number[])[] = [
  [10, 10, 10, 10],
  [16, 16, 16, 16],
  [10, 10, 16, 16],
];

/**
 * `310-260-32936-13641` from four fields, decimal or hexadecimal: the country shows which, because only 202–750 and 901
 * are countries (ITU-T E.212). Null without a cell.
 */
export function cellOf(fields: readonly (string | undefined)[]): string | null {
  const texts = fields.slice(0, 4).map(field => field?.trim() ?? '');
  if (texts.length < 4 || !texts.every(text => /^[0-9a-f]{1,8}$/i.test(text))) return null;
  for (const notation of NOTATIONS) {
    if (!texts.every((text, i) => notation[i] === 16 || /^\d+$/.test(text))) continue;
    const numbers = texts.map((text, i) => Number.parseInt(text, notation[i]));
    if (!isCountry(numbers[0] ?? 0)) continue;
    return numbers[2] === 0 && numbers[3] === 0 ? null : numbers.join('-');
  }
  return null;
}

/** `722-310-8106-32010:23`, separated by spaces, from a network and groups of area, cell and signal. */
export function cellsOf(mcc: string, mnc: string, groups: readonly string[], size: number): string {
  const cells: string[] = [];
  for (let at = 0; at + size <= groups.length && cells.length < 16; at += size) {
    const [area = '', cell = '', signal = ''] = groups.slice(at, at + 3);
    if (cell !== '' && Number(cell) !== 0)
      cells.push(`${Number(mcc)}-${Number(mnc)}-${Number(area)}-${Number(cell)}:${signal}`);
  }
  return cells.join(' ');
}
