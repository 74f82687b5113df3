import { START_PAGES } from '@milepost/contract';

interface Zone {
  readonly name: string;
  /** `America/Chicago (GMT-06:00)`. */
  readonly label: string;
}

/** All time zones that this browser knows, from west to east, plus the chosen one if the browser doesn't know it. */
export function timeZones(nowMs: number, chosen: string | null): readonly Zone[] {
  const names = new Set(Intl.supportedValuesOf('timeZone'));
  if (chosen !== null) names.add(chosen);
  return [...names]
    .map(name => ({ name, offset: offsetOf(name, nowMs) }))
    .toSorted((a, b) => minutesOf(a.offset) - minutesOf(b.offset) || (a.name < b.name ? -1 : 1))
    .map(({ name, offset }) => ({ name, label: `${name.replaceAll('_', ' ')} (${offset})` }));
}

function offsetOf(timeZone: string, nowMs: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(nowMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' ? 'GMT+00:00' : name;
}

function minutesOf(offset: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Possible start pages: allowed by the server and open to this user. */
export const startPages = <P extends { readonly path: string }>(places: readonly P[]): readonly P[] =>
  places.filter(({ path }) => START_PAGES.some(page => page === path));
