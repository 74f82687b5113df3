import { dateFormat, listOf } from '../format/locale.ts';

/** January 1, 2024 was a Monday. */
export const dayName = (weekday: number, length: 'short' | 'long' = 'short'): string =>
  dateFormat({ weekday: length, timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));

/** `Saturday and Sunday`: the days on which private hours begin; 1 is Monday. */
export const privateDays = (days: readonly number[]): string => listOf(days.map(day => dayName(day, 'long')));
