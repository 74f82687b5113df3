import type { BoardRow, Task } from '@milepost/contract';
import { metres } from '@milepost/units';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDuration } from '../../../format/duration.ts';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { formatMoment } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useMinute } from '../../../live/view.ts';
import { ClockParts } from '../../../logbook/ClockParts.tsx';
import { CLOCKS, clocksAt } from '../../../logbook/clocks.ts';
import { useHoursOf } from '../../../logbook/use-hours-of.ts';
import { paths } from '../../../paths.ts';
import { isLate, isThere } from '../../../tasks/task-times.ts';
import { useTaskWords } from '../../../tasks/task-words.ts';
import { useNextTasks } from '../../../tasks/use-next-tasks.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import { useLayout } from '../use-layout.ts';
import { DriverLine } from './DriverLine.tsx';
import styles from './WorkLines.module.css';

/** The driver, the hours of whoever is signed in, and what the vehicle has to do next. */
export function Component({ entry }: { readonly entry: VehicleEntry }) {
  const isPhone = useLayout() === 'phone';
  const row = useHoursOf()?.(entry);
  const task = useNextTasks()?.(entry);
  const nowMs = useMinute();
  return (
    <>
      {/* On a phone, the driver is in the head of the card. */}
      {!isPhone && <DriverLine entry={entry} />}
      {row && <Hours row={row} nowMs={nowMs} />}
      {task && <NextTask task={task} nowMs={nowMs} />}
    </>
  );
}

function Hours({ row, nowMs }: { readonly row: BoardRow; readonly nowMs: number }) {
  const { t } = useTranslation('logbook');
  const { driverId, name, since, status } = row;
  const clocks = clocksAt(row, nowMs);
  const words = t(`status.${status}`);
  const lasted = since === null ? null : formatDuration(Math.max(0, nowMs - Date.parse(since)));
  return (
    <section className={styles.hours} aria-label={t('hours.label', { name })}>
      <header>
        <DutyChip status={status} label={words} />
        <span>{lasted === null ? words : t('hours.since', { status: words, duration: lasted })}</span>
        <Link to={paths.eldLog(driverId)}>{t('hours.openLog')}</Link>
      </header>
      <ul>
        {CLOCKS.flatMap(clock => {
          const { leftS = 0, limitS = 0 } = clocks[clock] ?? {};
          if (limitS === 0) return [];
          return (
            <li key={clock}>
              <ClockParts clock={clock} leftS={leftS} limitS={limitS} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function NextTask({ task, nowMs }: { readonly task: Task; readonly nowMs: number }) {
  const { t } = useTranslation('tasks');
  const system = useMeasureSystem();
  const words = useTaskWords();
  const { eta, id, ref, title } = task;
  const { arriveAt = null, distanceM = null } = eta ?? {};
  const isHere = isThere(task);
  const ahead = isHere
    ? []
    : [
        arriveAt !== null && t('next.arrives', { time: formatMoment(Date.parse(arriveAt), nowMs) }),
        words.window(task, nowMs),
        distanceM !== null && t('next.away', { distance: joined(distanceFigure(metres(distanceM), system)) }),
      ].filter(Boolean);
  return (
    <Link className={styles.task} to={paths.opened(paths.dispatch(), id)} aria-label={t('next.label', { title })}>
      <IconClipboardCheck size={18} stroke={1.75} aria-hidden />
      <span>
        <b>{ref ?? title}</b>
        {ref !== null && <span>{title}</span>}
        <small>{isHere ? words.state(task, nowMs) : ahead.join(' · ')}</small>
      </span>
      <Punctuality task={task} nowMs={nowMs} />
    </Link>
  );
}

/** Whether the vehicle will be there in time; nothing if that isn't known. */
function Punctuality({ task, nowMs }: { readonly task: Task; readonly nowMs: number }) {
  const { t } = useTranslation('tasks');
  const spareS = task.eta?.spareS ?? null;
  if (spareS !== null && spareS < 0)
    return <Chip tone="critical">{t('next.late', { duration: formatDuration(-spareS * 1000) })}</Chip>;
  if (isLate(task, nowMs)) return <Chip tone="critical">{t('next.over')}</Chip>;
  return spareS !== null && <Chip tone="ok">{t('next.onTime')}</Chip>;
}
