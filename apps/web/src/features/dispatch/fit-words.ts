import type { TaskEta, TaskFit, TaskFitReason } from '@milepost/contract';
import { metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { formatAge, formatDuration } from '../../format/duration.ts';
import { distanceFigure, joined } from '../../format/measure.ts';
import { formatMoment } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';

const MINUTE_MS = 60_000;

/** What a fit says, in words: `Arrives 15:44`, `Leave by 15:50; after that, the shift runs out`. */
export function useFitWords(nowMs: number) {
  const { t } = useTranslation('dispatch');
  const system = useMeasureSystem();
  const moment = (iso: string): string => formatMoment(Date.parse(iso), nowMs);
  const length = (seconds: number): string => formatDuration(Math.max(MINUTE_MS, seconds * 1000));
  const distance = (meters: number): string => joined(distanceFigure(metres(meters), system));
  return {
    arrival: ({ arriveAt, spareS }: TaskFit): readonly [string, string | null] => [
      arriveAt === null ? '–' : t('fit.there', { time: moment(arriveAt) }),
      spareS === null ? null : t(spareS < 0 ? 'fit.late' : 'fit.early', { duration: length(Math.abs(spareS)) }),
    ],
    /** `Arrives 15:44, 46 m early`; null if the arrival isn't known. */
    eta: ({ arriveAt, spareS }: TaskEta): string | null => {
      if (arriveAt === null) return null;
      const spare =
        spareS === null ? null : t(spareS < 0 ? 'fit.late' : 'fit.early', { duration: length(Math.abs(spareS)) });
      return [t('fit.there', { time: moment(arriveAt) }), spare].filter(Boolean).join(', ');
    },
    leave: ({ leaveBy, limit }: TaskFit): string | null => {
      if (leaveBy === null) return null;
      const time = moment(leaveBy);
      return limit === null
        ? t('fit.leaveBy', { time })
        : t('fit.leaveByLimit', { time, limit: t(`fit.limit.${limit}`) });
    },
    way: ({ distanceM, freeAt }: TaskFit): string | null => {
      if (distanceM === null) return null;
      return freeAt === null
        ? t('fit.away', { distance: distance(distanceM) })
        : t('fit.awayFree', { distance: distance(distanceM), time: moment(freeAt) });
    },
    left: ({ driveLeftS, shiftLeftS }: TaskFit): string | null =>
      driveLeftS === null || shiftLeftS === null
        ? null
        : t('fit.left', { drive: length(driveLeftS), shift: length(shiftLeftS) }),
    rest: ({ rest }: TaskFit): string | null =>
      rest && t('fit.rest', { length: length(rest.lengthS), time: moment(rest.at) }),
    /** `Makes late: Tennant delivery (25 min), yard move` */
    makesLate: ({ makesLate }: TaskFit): string | null => {
      if (makesLate.length === 0) return null;
      const tasks = makesLate.map(({ title, lateS }) => {
        const name = title ?? t('fit.laterTask');
        return lateS === null ? name : t('fit.lateBy', { task: name, duration: length(lateS) });
      });
      return t('fit.makesLate', { tasks: tasks.join(', ') });
    },
    reason: ({ code, at, shortS, limit }: TaskFitReason): string => {
      const time = at === null ? '' : moment(at);
      const isNow = at !== null && Date.parse(at) - nowMs < MINUTE_MS;
      const duration = length(shortS ?? 0);
      if (code === 'hours') {
        return t(isNow ? 'fit.reason.hoursNow' : 'fit.reason.hours', {
          ...{ time, duration, clock: t(`fit.clock.${limit ?? 'window'}`) },
        });
      }
      if (code === 'break' && isNow) return t('fit.reason.breakNow');
      const age = at === null ? '' : formatAge(nowMs - Date.parse(at));
      return t(`fit.reason.${code}`, { time, duration, age });
    },
  };
}
