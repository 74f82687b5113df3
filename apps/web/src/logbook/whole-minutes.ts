import { LINES, type Line } from './log-shape.ts';

const MINUTE_S = 60;

/**
 * A day's totals in whole minutes, in seconds, so that what is shown of the four lines adds up to the time that the log
 * covers: 24:00 for a day that is over (49 CFR 395.8(g)). The lines that lose most by rounding down are rounded up.
 */
export function wholeMinutes(totals: Readonly<Record<Line, number>>): Readonly<Record<Line, number>> {
  const minutes = LINES.map(line => ({ line, exact: totals[line] / MINUTE_S }));
  const all = Math.floor(minutes.reduce((sum, { exact }) => sum + exact, 0) + 1e-6);
  let lacks = all - minutes.reduce((sum, { exact }) => sum + Math.floor(exact), 0);
  const whole = { OFF: 0, SB: 0, D: 0, ON: 0 };
  for (const { line, exact } of minutes.toSorted((a, b) => (b.exact % 1) - (a.exact % 1))) {
    whole[line] = (Math.floor(exact) + (lacks-- > 0 ? 1 : 0)) * MINUTE_S;
  }
  return whole;
}
