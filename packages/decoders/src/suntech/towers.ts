import { number } from './place.ts';

/** -113 dBm or less is 0 on the scale of `+CSQ`, 3GPP TS 27.007. */
const csqOfDbm = (dbm: number): number => Math.max(0, Math.min(31, Math.round((dbm + 113) / 2)));
const WEAKEST_DBM = -150;

export interface Tower {
  /** `310-410-33278-421210`. */
  readonly cell: string | null;
  readonly gsm: number | null;
}

const NONE: Tower = { cell: null, gsm: null };

/**
 * The serving tower at the end of a report: MCC, MNC, level in dBm, area, in decimals, if the report has them. The cell
 * comes before the MCC, or is elsewhere and passed in.
 */
export function towerIn(fields: readonly string[], elsewhere: number | null = null): Tower {
  const at = fields.findIndex(
    (text, i) =>
      /^[2-7]\d\d$/.test(text) &&
      /^\d{1,3}$/.test(fields[i + 1] ?? '') &&
      (elsewhere === null ? /^-\d{1,3}$/ : /^-?\d{1,3}$/).test(fields[i + 2] ?? '') &&
      /^\d{1,5}$/.test(fields[i + 3] ?? ''),
  );
  if (at < 0) return NONE;
  const [mcc, mnc, dbm, area] = fields.slice(at, at + 4).map(number);
  const cell = elsewhere ?? number(fields[at - 1]);
  return {
    cell: cell === null || !mcc || area == null ? null : `${mcc}-${mnc}-${area}-${cell}`,
    gsm: dbm == null || dbm >= 0 || dbm < WEAKEST_DBM ? null : csqOfDbm(dbm),
  };
}

/**
 * ST410: the serving tower's cell, MCC, MNC, level, area and timing advance, then neighbors without a level. Zeros mean
 * no tower.
 */
export function towersIn(fields: readonly string[]): string[] {
  const cells: string[] = [];
  const serving = fields.slice(0, 6).map(number);
  if (serving[1]) cells.push(`${serving[1]}-${serving[2]}-${serving[4]}-${serving[0]}:${serving[3]}`);
  for (let at = 6; at + 6 <= fields.length; at += 6) {
    const [cell, mcc, mnc, area] = fields.slice(at, at + 4).map(number);
    if (!mcc || cell == null || area == null || mcc > 999) break;
    cells.push(`${mcc}-${mnc}-${area}-${cell}`);
  }
  return cells;
}
