import { type Driver, listDrivers, type Task, type TaskFit } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { clockFigure } from '../../format/duration.ts';
import { nameCollator } from '../../format/locale.ts';
import { placeWords } from '../../format/place.ts';
import { formatMoment, formatTime, hourOfDay } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useVehicle } from '../../live/view.ts';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';
import { spanOf } from '../../tasks/task-times.ts';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import hidden from '../../ui/hidden.module.css';
import { Plate } from '../../ui/Plate.tsx';
import { StatusGlyph } from '../../ui/StatusGlyph.tsx';
import { courseOf, shapeOfEntry } from '../../vehicles/vehicle-shape.ts';
import styles from './DriverBoard.module.css';
import { DriverLane, LABELED_HOURS } from './DriverLane.tsx';
import { useFitWords } from './fit-words.ts';
import { draggedTask } from './task-drag.ts';
import type { Search } from './use-driver-choice.ts';

/** Labels of the ruler closer than this to the clock, or to the end of the window, would touch it. */
const NEAR_NOW_MS = 2 * 3_600_000;
const NEAR_DUE_MS = 3 * 3_600_000;

/** Labels this near to an end of the day, in percent of it, begin or end at their moment: they would be cut off. */
const NEAR_EDGE = 9;
const edgeOf = (percent: number) => (percent < NEAR_EDGE ? 'start' : percent > 100 - NEAR_EDGE ? 'end' : undefined);

interface Props {
  readonly tasks: readonly Task[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
  /** By fit; empty for users who may not see hours, and until they are known. */
  readonly fits: readonly TaskFit[];
  /** Null while no task is open that could be assigned. */
  readonly search: Search | null;
  /** Whether there is room for what a list beside the board says otherwise. */
  readonly isWide: boolean;
  /** A task was dragged onto a driver. Null for users who may not assign it. */
  readonly onDropTask: ((taskId: string, driverId: string) => void) | null;
}

/**
 * One day of each driver on a shared time scale: tasks that are done, under way, planned and late, above the duty
 * statuses. While a task is open, those who can legally make it come first, with their arrival and the last minute to
 * leave.
 */
export function DriverBoard(props: Props) {
  const { tasks, fromMs, toMs, nowMs, fits, search, isWide } = props;
  const { t } = useTranslation(['tasks', 'dispatch']);
  const { data: drivers } = useQuery({ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers) });
  const byDriver = Map.groupBy(
    tasks.filter(task => task.driver !== null && isOn(task, fromMs, toMs, nowMs)),
    task => task.driver?.id ?? '',
  );
  const fitOf = new Map(fits.map((fit, rank) => [fit.driver.id, { ...fit, rank }]));
  const isRanked = search !== null && !search.isChecking && fits.length > 0;
  const rows = (drivers ?? [])
    .filter(({ archived, id }) => !archived || byDriver.has(id))
    .toSorted((a, b) => (isRanked ? rank(a) - rank(b) : load(b) - load(a)) || nameCollator().compare(a.name, b.name));
  function rank({ id }: Driver): number {
    return fitOf.get(id)?.rank ?? fits.length;
  }
  /** Drivers with tasks come first. */
  function load({ id, vehicle }: Driver): number {
    return (byDriver.has(id) ? 2 : 0) + (vehicle === null ? 0 : 1);
  }
  const share = (ms: number): number => ((Math.min(toMs, Math.max(fromMs, ms)) - fromMs) / (toMs - fromMs)) * 100;
  if (drivers?.length === 0) {
    return (
      <div className={styles.empty}>
        <EmptyRoad />
        <h2>{t('noDrivers')}</h2>
        <p>{t('noDriversText')}</p>
      </div>
    );
  }
  const isToday = nowMs >= fromMs && nowMs < toMs;
  const dueMs = search?.task.dueTo ? Date.parse(search.task.dueTo) : null;
  const dueFromMs = search?.task.dueFrom ? Date.parse(search.task.dueFrom) : nowMs;
  const showsDue =
    dueMs !== null &&
    dueMs > fromMs &&
    (dueMs <= toMs || dueFromMs < toMs) &&
    (!isToday || Math.abs(Math.min(dueMs, toMs) - nowMs) > NEAR_NOW_MS + NEAR_DUE_MS);
  const hours = LABELED_HOURS.map(hour => ({ hour, ms: hourOfDay(fromMs, hour) })).filter(
    ({ ms }) =>
      !(isToday && Math.abs(ms - nowMs) < NEAR_NOW_MS) &&
      !(showsDue && Math.abs(ms - Math.min(dueMs, toMs)) < NEAR_DUE_MS),
  );
  const columns =
    fits.length === 0 ? [] : search && isWide ? (['there', 'leave', 'left'] as const) : (['left'] as const);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={styles.board} data-columns={columns.length} tabIndex={0} aria-label={t('board')}>
      <div className={styles.head} aria-hidden="true">
        <span className={styles.who}>{t('columns.driver')}</span>
        {columns.map(column => (
          <span key={column} className={styles.figure}>
            {t(`dispatch:board.${column}`)}
          </span>
        ))}
        <div className={styles.ruler}>
          {hours.map(({ hour, ms }) => (
            <span key={hour} style={{ insetInlineStart: `${share(ms)}%` }}>
              {String(hour).padStart(2, '0')}
            </span>
          ))}
          {showsDue && (
            <b data-due data-edge={edgeOf(share(dueMs))} style={{ insetInlineStart: `${share(dueMs)}%` }}>
              {t('dispatch:board.windowTo', { time: dueMs > toMs ? formatMoment(dueMs, fromMs) : formatTime(dueMs) })}
            </b>
          )}
          {isToday && (
            <b data-edge={edgeOf(share(nowMs))} style={{ insetInlineStart: `${share(nowMs)}%` }}>
              {formatTime(nowMs)}
            </b>
          )}
        </div>
      </div>
      <ul className={styles.rows}>
        {rows.map(driver => (
          <Row
            key={driver.id}
            {...props}
            driver={driver}
            own={byDriver.get(driver.id) ?? []}
            fit={fitOf.get(driver.id)}
            columns={columns}
            share={share}
            isToday={isToday}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps extends Props {
  readonly driver: Driver;
  readonly own: readonly Task[];
  readonly fit: TaskFit | undefined;
  readonly columns: readonly ('there' | 'leave' | 'left')[];
  readonly share: (ms: number) => number;
  readonly isToday: boolean;
}

function Row({ driver, own, fit, columns, search, onDropTask, ...lane }: RowProps) {
  const [isUnder, setUnder] = useState(false);
  const drop = onDropTask && {
    onDragOver: (event: DragEvent) => {
      if (!draggedTask.isIn(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'link';
      setUnder(true);
    },
    onDragLeave: () => setUnder(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setUnder(false);
      const id = draggedTask.of(event);
      if (id) onDropTask(id, driver.id);
    },
  };
  const isChosen = search?.chosen === driver.id;
  return (
    <li
      className={styles.driver}
      data-fits={(search && !search.isChecking && fit?.fits) ?? undefined}
      data-chosen={isChosen || undefined}
      data-over={isUnder || undefined}
      {...drop}
    >
      <div className={styles.who}>
        {search ? (
          <button type="button" aria-pressed={isChosen} onClick={() => search.onChoose(isChosen ? '' : driver.id)}>
            <Name driver={driver} />
          </button>
        ) : (
          <Name driver={driver} />
        )}
        <Where imei={fit?.vehicle?.imei ?? driver.vehicle?.imei ?? null} />
      </div>
      {columns.map(column => (
        <Figure key={column} column={column} fit={fit} isChecking={search?.isChecking} nowMs={lane.nowMs} />
      ))}
      <DriverLane {...lane} own={own} fit={fit} search={search} />
    </li>
  );
}

const Name = ({ driver: { name, vehicle } }: { readonly driver: Driver }) => (
  <span className={styles.name}>
    {vehicle && <Plate>{vehicle.deviceName}</Plate>}
    <b>{name}</b>
  </span>
);

/** What the vehicle does now, and near which place. */
function Where({ imei }: { readonly imei: string | null }) {
  const { t } = useTranslation('vehicle');
  const system = useMeasureSystem();
  const entry = useVehicle(imei);
  if (!entry) return null;
  return (
    <span className={styles.where}>
      <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} />
      <span className={hidden.hidden}>{t(`status.${entry.now.status}`)}</span>
      <span>{entry.report ? placeWords(entry.report, system) : ''}</span>
    </span>
  );
}

interface FigureProps {
  readonly column: 'there' | 'leave' | 'left';
  readonly fit: TaskFit | undefined;
  readonly isChecking: boolean | undefined;
  readonly nowMs: number;
}

/** A figure of a driver, and below it what it means. */
function Figure({ column, fit, isChecking, nowMs }: FigureProps) {
  const { t } = useTranslation('dispatch');
  const words = useFitWords(nowMs);
  const at = (iso: string | null | undefined): string | null => (iso ? formatMoment(Date.parse(iso), nowMs) : null);
  const [figure, below, tone] = ((): [string, ReactNode, string?] => {
    if (!fit) return ['–', null];
    if (column === 'left') {
      if (fit.driveLeftS === null || fit.shiftLeftS === null) return ['–', t('board.noLog')];
      return [clockFigure(fit.driveLeftS), t('board.shift', { left: clockFigure(fit.shiftLeftS) })];
    }
    if (isChecking) return ['…', null];
    if (column === 'there') {
      // Nobody knows: never a guess.
      if (fit.fits === null) return ['?', fit.reason && words.reason(fit.reason), 'unknown'];
      return [at(fit.arriveAt) ?? '–', words.arrival(fit)[1], fit.fits ? 'ok' : 'late'];
    }
    if (fit.leaveBy !== null) {
      return [at(fit.leaveBy) ?? '–', fit.limit && t(`board.then.${fit.limit}`)];
    }
    return ['–', fit.fits === false && fit.reason && words.reason(fit.reason), 'late'];
  })();
  return (
    <div className={styles.figure} data-tone={tone}>
      <span className={hidden.hidden}>{t(`board.${column}`)}</span>
      <b>{figure}</b>
      {below && <span title={typeof below === 'string' ? below : undefined}>{below}</span>}
    </div>
  );
}

function isOn(task: Task, fromMs: number, toMs: number, nowMs: number): boolean {
  if (task.state === 'cancelled' || task.state === 'declined') return false;
  const span = spanOf(task, nowMs);
  return span.fromMs < toMs && span.toMs > fromMs;
}
