import { REPORT_GROUPINGS, REPORT_OPTIONS, type ReportGrouping, type ReportQueryInput } from '@milepost/contract';
import type { Days } from '../../figures/period.ts';
import { isDay } from '../../format/date.ts';

/** What a report is asked for, as it is in its address: the same address gives the same report. */
export interface ReportAddress extends Days {
  readonly vehicles: readonly string[];
  readonly folders: readonly string[];
  readonly group: ReportGrouping | '';
  readonly compare: boolean;
  /** The lines of the groups without their rows. */
  readonly onlyTotals: boolean;
  /** By the names of the API. */
  readonly options: Readonly<Partial<Record<(typeof REPORT_OPTIONS)[number], number>>>;
}

const ids = (text: string | null): string[] => (text ?? '').split(',').filter(id => /^\d+$/.test(id));

/** Null if the address has no period yet. */
export function readAddress(parameters: URLSearchParams): ReportAddress | null {
  const [from, to] = [parameters.get('from') ?? '', parameters.get('to') ?? ''];
  if (!isDay(from) || !isDay(to)) return null;
  const group = parameters.get('group');
  return {
    from,
    to,
    vehicles: ids(parameters.get('vehicles')),
    folders: ids(parameters.get('folders')),
    group: REPORT_GROUPINGS.find(each => each === group) ?? '',
    compare: parameters.get('compare') === '1',
    onlyTotals: parameters.get('rows') === 'none',
    options: Object.fromEntries(
      REPORT_OPTIONS.flatMap(key => {
        const value = parameters.get(key) ?? '';
        return /^-?\d{1,9}$/.test(value) ? [[key, Number(value)]] : [];
      }),
    ),
  };
}

/** An address's parameters in a fixed order, without empty ones. */
export function addressQuery({
  from,
  to,
  vehicles,
  folders,
  group,
  compare,
  onlyTotals,
  options,
}: ReportAddress): string {
  const parts: [string, string][] = [
    ['from', from],
    ['to', to],
    ['vehicles', vehicles.join(',')],
    ['folders', folders.join(',')],
    ['group', group],
    ['compare', compare ? '1' : ''],
    ['rows', onlyTotals && group !== '' ? 'none' : ''],
    ...REPORT_OPTIONS.map((key): [string, string] => [key, String(options[key] ?? '')]),
  ];
  return parts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** The same report of one group alone, whose rows its totals are made of; null where an address can't say that. */
export function addressOfGroup(address: ReportAddress, key: string): ReportAddress | null {
  const { from, group, to } = address;
  if (key === '') return null;
  if (group === 'vehicle') return { ...address, group: '', vehicles: [key], folders: [] };
  if (group !== 'day' && group !== 'week' && group !== 'month') return null;
  const last = new Date(`${key}T00:00:00Z`);
  if (group === 'week') last.setUTCDate(last.getUTCDate() + 6);
  // Day 0 of the next month.
  if (group === 'month') last.setUTCMonth(last.getUTCMonth() + 1, 0);
  const end = last.toISOString().slice(0, 10);
  return { ...address, group: '', from: key > from ? key : from, to: end < to ? end : to };
}

export const apiQuery = (address: ReportAddress, language: ReportQueryInput['language']): ReportQueryInput => ({
  from: address.from,
  to: address.to,
  ...(address.vehicles.length > 0 && { vehicles: address.vehicles.join(',') }),
  ...(address.folders.length > 0 && { folders: address.folders.join(',') }),
  ...(address.group && { groupBy: address.group }),
  ...(address.compare && { compare: 'true' as const }),
  ...address.options,
  language,
});
