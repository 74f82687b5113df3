import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import { isDay } from '../../../format/date.ts';
import { useFromNow } from '../../../live/view.ts';
import { daysQuery } from '../queries.ts';

const DATE = 'date';
const DAY_MS = 86_400_000;
/** Days in the strip: today and the days that an officer may see. */
const DAYS = 8;

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Whose log is open, which days are listed, and which one is shown: the newest unless the address names one. */
export function useLogAddress() {
  const { id = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get(DATE);
  const wanted = asked !== null && isDay(asked) ? asked : null;
  // Half a day ahead of UTC, for terminals where the next day has already started.
  const latest = useFromNow(ms => isoDay(ms + DAY_MS / 2));
  const end = Date.parse(
    `${wanted !== null && wanted < isoDay(Date.parse(latest) - DAYS * DAY_MS) ? wanted : latest}T00:00:00Z`,
  );
  const days = useQuery(daysQuery(isoDay(end - DAYS * DAY_MS), isoDay(end), id));
  const listed = (days.data ?? []).toSorted((one, other) => other.date.localeCompare(one.date));
  const date = wanted ?? listed[0]?.date ?? null;
  return {
    driverId: id,
    days,
    listed,
    date,
    isLatest: date !== null && date === listed[0]?.date,
    show: (next: string): void => setParameters({ [DATE]: next }, { replace: true }),
  };
}
