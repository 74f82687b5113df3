/** Open Location Code, Specification 1.0: digits that cannot be read as words. */
const DIGITS = '23456789CFGHJMPQRVWX';
const BASE = DIGITS.length;
/** Five pairs of digits: one eight-thousandth of a degree, about 14 m. */
const PAIRS = 5;
const PER_DEGREE = 8000;
const SEPARATOR_AFTER = 8;

/** The full plus code of a place, `86HJV9HC+6W`: short to say where there are no addresses. */
export function plusCode(lat: number, lon: number): string {
  // In whole cells, rounded first: 47.0000625 as a sum of binary fractions lies a hair below its cell.
  const cells = (degrees: number): number => Math.floor(Math.round(degrees * PER_DEGREE * 1e6) / 1e6);
  // What is at the pole belongs to the last row; a longitude goes round.
  let row = Math.min(Math.max(cells(lat + 90), 0), 180 * PER_DEGREE - 1);
  const around = 360 * PER_DEGREE;
  let column = ((cells(lon + 180) % around) + around) % around;
  let code = '';
  for (let pair = 0; pair < PAIRS; pair++) {
    code = `${DIGITS[row % BASE]}${DIGITS[column % BASE]}${code}`;
    row = Math.floor(row / BASE);
    column = Math.floor(column / BASE);
  }
  return `${code.slice(0, SEPARATOR_AFTER)}+${code.slice(SEPARATOR_AFTER)}`;
}
