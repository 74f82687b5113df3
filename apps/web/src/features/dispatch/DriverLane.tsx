import { isOver, isUnderWay, type Task, type TaskFit } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatMoment, hourOfDay } from '../../format/time.ts';
import { isLate, spanOf, willBeLate } from '../../tasks/task-times.ts';
import { useTaskWords } from '../../tasks/task-words.ts';
import { beyond } from './beyond.ts';
import styles from './DriverLane.module.css';
import type { Search } from './use-driver-choice.ts';

export const LABELED_HOURS = [0, 3, 6, 9, 12, 15, 18, 21];

interface Props {
  readonly own: readonly Task[];
  readonly fit: TaskFit | undefined;
  readonly search: Search | null;
  /** The place of a moment on the ruler, in percent of its length; moments of other days are at its ends. */
  readonly share: (ms: number) => number;
  readonly isToday: boolean;
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

/**
 * A driver’s tasks above their duty; what begins or ends on another day has an arrow there that says when. While a task is open, also its window, where it would go, and the
 * last minute to leave.
 */
export function DriverLane({ own, fit, search, share, isToday, fromMs, toMs, nowMs, open, onOpen }: Props) {
  const { t } = useTranslation(['tasks', 'dispatch']);
  const words = useTaskWords();
  const at = (from: number, to: number) => {
    const [left, right] = [share(from), share(to)];
    return { insetInlineStart: `${left}%`, inlineSize: `${right - left}%` };
  };
  const ms = (iso: string | null | undefined): number | null => (iso ? Date.parse(iso) : null);
  const [dueFrom, dueTo] = [ms(search?.task.dueFrom), ms(search?.task.dueTo)];
  const leaveBy = search?.isChecking ? null : ms(fit?.leaveBy);
  const spans = own.map(task => ({ task, ...spanOf(task, nowMs) }));
  const isOffered =
    search !== null && !search.isChecking && fit?.fits === true && search.task.driver?.id !== fit.driver.id;
  const offer = isOffered && {
    task: search.task,
    fromMs: ms(fit.freeAt) ?? nowMs,
    toMs: Math.max(dueTo ?? 0, ms(fit.arriveAt) ?? nowMs),
  };
  const blocks = stacked(offer ? [...spans, offer] : spans);
  const lines = Math.max(1, ...blocks.map(({ line }) => line + 1));
  return (
    <div className={styles.lane} style={{ minBlockSize: `${20 + 28 * lines}px` }}>
      {LABELED_HOURS.map(hour => (
        <i key={hour} style={{ insetInlineStart: `${share(hourOfDay(fromMs, hour))}%` }} />
      ))}
      {search && dueTo !== null && <i data-window style={at(dueFrom ?? nowMs, dueTo)} />}
      {isToday && <i data-now style={{ insetInlineStart: `${share(nowMs)}%` }} />}
      {search && leaveBy !== null && <i data-leave style={{ insetInlineStart: `${share(leaveBy)}%` }} />}
      {own.length === 0 && !offer && <span className={styles.free}>{t('noTasks')}</span>}
      {blocks.map(({ item, line }) => {
        const { task, fromMs: begins, toMs: ends } = item;
        const { sinceMs, untilMs } = beyond({ fromMs: begins, toMs: ends }, { fromMs, toMs });
        const before = sinceMs === null ? null : t('dispatch:board.since', { time: formatMoment(sinceMs, fromMs) });
        const after = untilMs === null ? null : t('dispatch:board.until', { time: formatMoment(untilMs, fromMs) });
        const place = { ...at(begins, ends), insetBlockStart: `${6 + line * 28}px` };
        if (item === offer) {
          return (
            <span key="offer" className={styles.block} data-state="offer" style={place} aria-hidden="true">
              {task.ref ?? task.title}
            </span>
          );
        }
        return (
          <button
            key={task.id}
            type="button"
            className={styles.block}
            data-state={isOver(task.state) ? 'over' : isUnderWay(task.state) ? 'running' : 'planned'}
            data-late={isLate(task, nowMs) || willBeLate(task) || undefined}
            aria-current={task.id === open || undefined}
            data-before={before ?? undefined}
            data-after={after ?? undefined}
            aria-label={[
              t('block', {
                title: task.title,
                window: words.window(task, nowMs),
                state: words.state(task, nowMs),
              }),
              before,
              after,
            ]
              .filter(Boolean)
              .join(', ')}
            title={[task.ref, task.title, before, after].filter(Boolean).join(' · ')}
            style={place}
            onClick={() => onOpen(task.id)}
          >
            {before && <i aria-hidden="true">{before}</i>}
            {task.state === 'done' && <span aria-hidden="true">✓</span>}
            <b>{task.ref ?? task.title}</b>
            {after && <i aria-hidden="true">{after}</i>}
          </button>
        );
      })}
      {fit?.duty.map(({ status, from, to }) => (
        <span
          key={from}
          className={styles.duty}
          data-duty={status}
          style={at(Date.parse(from), Date.parse(to))}
          aria-hidden="true"
        />
      ))}
    </div>
  );
}

/** What overlaps is on separate lines. */
function stacked<T extends { readonly fromMs: number; readonly toMs: number }>(
  items: readonly T[],
): { readonly item: T; readonly line: number }[] {
  const ends: number[] = [];
  return items
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .map(item => {
      const free = ends.findIndex(end => end <= item.fromMs);
      const line = free === -1 ? ends.length : free;
      ends[line] = item.toMs;
      return { item, line };
    });
}
