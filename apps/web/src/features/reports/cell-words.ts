import type { ReportCell, ReportColumnType } from '@milepost/contract';
import { metres, metresPerSecond, toKilometres, toMiles } from '@milepost/units';
import { formatDate } from '../../format/date.ts';
import { dateFormat, formatCount, numberFormat } from '../../format/locale.ts';
import { type MeasureSystem, speedFigure } from '../../format/measure.ts';
import { placeWords } from '../../format/place.ts';
import { signedNumber } from '../../format/signed.ts';

export interface Reader {
  readonly system: MeasureSystem;
  /** The account's time zone, in which all times of a report are shown. */
  readonly zone: string;
  readonly currency: string;
}

/** A column's unit, shown once in its header. */
export function unitOf(type: ReportColumnType, { currency, system: { distance } }: Omit<Reader, 'zone'>): string {
  if (type === 'money') return currency;
  if (type === 'distance') return distance;
  if (type === 'speed') return distance === 'mi' ? 'mph' : 'km/h';
  return '';
}

export const isFigure = (type: ReportColumnType): boolean =>
  ['distance', 'duration', 'speed', 'share', 'count', 'number', 'money', 'coordinate'].includes(type);

export const momentWords = (iso: string, zone: string): string =>
  dateFormat({
    ...{ timeZone: zone, day: 'numeric', month: 'short' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(Date.parse(iso));

/** A later moment of a row: its time alone if it is on the day of the first one. */
export function laterWords(first: ReportCell | undefined, cell: ReportCell | undefined, { zone }: Reader): string {
  if (typeof cell !== 'string') return '';
  const dayOf = (iso: string): string => dateFormat({ timeZone: zone, dateStyle: 'short' }).format(Date.parse(iso));
  if (typeof first !== 'string' || dayOf(first) !== dayOf(cell)) return momentWords(cell, zone);
  return dateFormat({ timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(Date.parse(cell));
}

/** Work times are easier to compare in hours, even many hours: `78 h 05 m`, `18 m`. */
function timeWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = String(minutes % 60);
  return minutes < 60 ? `${rest} m` : `${formatCount(Math.floor(minutes / 60))} h ${rest.padStart(2, '0')} m`;
}

/** Whether one of these figures has tenths: then all figures of its column show them, so that their points align. */
export const hasTenths = (cells: readonly (ReportCell | undefined)[], type: ReportColumnType): boolean =>
  (type === 'number' || type === 'share') &&
  cells.some(cell => typeof cell === 'number' && Math.round(cell * (type === 'share' ? 1000 : 10)) % 10 !== 0);

/** A cell's text without its unit; empty if there is no value. */
export function cellWords(
  cell: ReportCell | undefined,
  type: ReportColumnType,
  { system, zone }: Reader,
  isInTenths = false,
): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'object') return placeWords(cell, system);
  if (typeof cell === 'string') {
    return type === 'moment' ? momentWords(cell, zone) : type === 'day' ? formatDate(cell) : cell;
  }
  const tenths = { minimumFractionDigits: isInTenths ? 1 : 0, maximumFractionDigits: 1 } as const;
  switch (type) {
    case 'distance': {
      const length = system.distance === 'mi' ? toMiles(metres(cell)) : toKilometres(metres(cell));
      return numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(length);
    }
    case 'speed':
      return speedFigure(metresPerSecond(cell), system).value;
    case 'duration':
      return timeWords(cell);
    case 'share':
      return numberFormat({ style: 'percent', ...tenths }).format(cell);
    case 'money':
      return numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cell);
    case 'coordinate':
      return numberFormat({ minimumFractionDigits: 5, maximumFractionDigits: 5 }).format(cell);
    case 'number':
      return numberFormat(tenths).format(cell);
    default:
      return formatCount(cell);
  }
}

/** How much a figure has changed: shares in points, everything else in percent. Empty if it can't be compared. */
export function changeWords(
  now: ReportCell | undefined,
  before: ReportCell | undefined,
  type: ReportColumnType,
): string {
  if (typeof now !== 'number' || typeof before !== 'number') return '';
  const percent = (change: number): string => signedNumber(change, { style: 'percent', maximumFractionDigits: 1 });
  if (type === 'share') return percent(now - before);
  return before === 0 ? '' : percent(now / before - 1);
}
