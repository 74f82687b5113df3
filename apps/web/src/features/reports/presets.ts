import type { Report, ReportPeriod } from '@milepost/contract';
import { type Days, shifted } from '../../figures/period.ts';

/** Common periods. The address gets their days, so that the link means the same tomorrow. */
export const PRESETS = [
  'today',
  'yesterday',
  'week',
  'lastWeek',
  'month',
  'lastMonth',
  'seven',
  'thirty',
  'nextThirty',
] as const;
export type Preset = (typeof PRESETS)[number];

/** Monday is 1. */
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;

export function daysOfPreset(preset: Preset, today: string, firstWeekday: number): Days {
  const week = shifted(today, -((weekdayOf(today) - firstWeekday + 7) % 7));
  const month = `${today.slice(0, 7)}-01`;
  const monthBefore = `${shifted(month, -1).slice(0, 7)}-01`;
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: shifted(today, -1), to: shifted(today, -1) };
    case 'week':
      return { from: week, to: today };
    case 'lastWeek':
      return { from: shifted(week, -7), to: shifted(week, -1) };
    case 'month':
      return { from: month, to: today };
    case 'lastMonth':
      return { from: monthBefore, to: shifted(month, -1) };
    case 'seven':
      return { from: shifted(today, -6), to: today };
    case 'thirty':
      return { from: shifted(today, -29), to: today };
    case 'nextThirty':
      return { from: today, to: shifted(today, 30) };
  }
}

/** The preset that gives these days today; null for any other period. */
export const presetOf = (days: Days, today: string, firstWeekday: number): Preset | null =>
  PRESETS.find(preset => {
    const { from, to } = daysOfPreset(preset, today, firstWeekday);
    return from === days.from && to === days.to;
  }) ?? null;

type Ahead = Pick<Report, 'looksAhead'>;

/** The period with which a report opens. */
export const openingPreset = (report: Ahead | undefined): 'seven' | 'nextThirty' =>
  report?.looksAhead ? 'nextThirty' : 'seven';

/** Whether a report can be asked for this period: only those about days to come for a coming one. */
export const isFor = (report: Ahead, period: Preset | ReportPeriod): boolean =>
  report.looksAhead || period !== 'nextThirty';
