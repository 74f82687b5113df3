import { OVERVIEW_MAX_DAYS } from '@milepost/contract';

export const PERIODS = ['today', '7', '28', 'quarter', 'custom'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** A range of calendar days, including both. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const LENGTH: Readonly<Record<Exclude<PeriodName, 'custom'>, number>> = { today: 1, '7': 7, '28': 28, quarter: 91 };
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

export const isPeriod = (name: string | null): name is PeriodName => PERIODS.some(period => period === name);

export const shifted = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export const lengthOf = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The days of a period that ends today. An invalid custom period becomes the last four weeks. */
export function daysOf(name: PeriodName, custom: Partial<Days>, today: string): Days {
  if (name !== 'custom') return { from: shifted(today, 1 - LENGTH[name]), to: today };
  const { from = '', to = '' } = custom;
  return problemOf({ from, to }) === null ? { from, to } : daysOf('28', {}, today);
}

/** Why a custom period can't be shown; null if it can. */
export function problemOf(days: Days): 'incomplete' | 'wrong' | 'tooLong' | null {
  const isDate = (text: string): boolean => DATE.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDate(days.from) || !isDate(days.to)) return 'incomplete';
  if (days.from > days.to) return 'wrong';
  return lengthOf(days) > OVERVIEW_MAX_DAYS ? 'tooLong' : null;
}
