/** Open Location Code, Specification 1.0: digits that don't form words. */
const DIGITS = '23456789CFGHJMPQRVWX';
const BASE = DIGITS.length;
/** Five pairs of digits have a resolution of 1/8000 of a degree, about 14 m. */
const PAIRS = 5;
const PER_DEGREE = 8000;
const SEPARATOR_AFTER = 8;

/** The full plus code of a place, `86HJV9HC+6W`: a short way to name a place without an address. */
export function plusCode(lat: number, lon: number): string {
  // Rounded before `floor`: as a binary fraction, 47.0000625 is slightly below the start of its cell.
  const cells = (degrees: number): number => Math.floor(Math.round(degrees * PER_DEGREE * 1e6) / 1e6);
  // The pole belongs to the last row. Longitudes wrap around.
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
