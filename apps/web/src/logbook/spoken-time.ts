import type { TFunction } from 'i18next';

/** Time left on a clock for screen readers: "4 hours 10 minutes". */
export function spokenTime(t: TFunction<'logbook'>, seconds: number): string {
  const minutes = Math.floor(Math.max(0, seconds) / 60);
  const parts = {
    hours: t('spoken.hours', { count: Math.floor(minutes / 60) }),
    minutes: t('spoken.minutes', { count: minutes % 60 }),
  };
  if (minutes < 60) return parts.minutes;
  return minutes % 60 === 0 ? parts.hours : t('spoken.both', parts);
}
