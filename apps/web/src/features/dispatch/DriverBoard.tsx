import { type Driver, isOver, isUnderWay, listDrivers, type Task } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { nameCollator } from '../../format/locale.ts';
import { formatTime, hourOfDay } from '../../format/time.ts';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';
import { isLate, spanOf, willBeLate } from '../../tasks/task-times.ts';
import { useTaskWords } from '../../tasks/task-words.ts';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import { Plate } from '../../ui/Plate.tsx';
import styles from './DriverBoard.module.css';

const LABELED_HOURS = [0, 3, 6, 9, 12, 15, 18, 21];

interface Props {
  readonly tasks: readonly Task[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

/** One day of each driver on a shared time scale: tasks that are done, under way, planned and late. */
export function DriverBoard({ tasks, fromMs, toMs, nowMs, open, onOpen }: Props) {
  const { t } = useTranslation('tasks');
  const { data: drivers } = useQuery({ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers) });
  const words = useTaskWords();
  const byDriver = Map.groupBy(
    tasks.filter(task => task.driver !== null && isOn(task, fromMs, toMs, nowMs)),
    task => task.driver?.id ?? '',
  );
  const rows = (drivers ?? [])
    .filter(({ archived, id }) => !archived || byDriver.has(id))
    .toSorted((a, b) => load(b) - load(a) || nameCollator().compare(a.name, b.name));
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={styles.board} tabIndex={0} aria-label={t('board')}>
      <div className={styles.ruler} aria-hidden="true">
        {LABELED_HOURS.map(hour => (
          <span key={hour} style={{ insetInlineStart: `${share(hourOfDay(fromMs, hour))}%` }}>
            {String(hour).padStart(2, '0')}
          </span>
        ))}
        {isToday && <b style={{ insetInlineStart: `${share(nowMs)}%` }}>{formatTime(nowMs)}</b>}
      </div>
      <ul className={styles.rows}>
        {rows.map(driver => {
          const own = byDriver.get(driver.id) ?? [];
          return (
            <li key={driver.id} className={styles.driver}>
              <div className={styles.who}>
                <b>{driver.name}</b>
                <span>{driver.vehicle ? <Plate>{driver.vehicle.deviceName}</Plate> : null}</span>
              </div>
              <div className={styles.lane}>
                {LABELED_HOURS.map(hour => (
                  <i key={hour} style={{ insetInlineStart: `${share(hourOfDay(fromMs, hour))}%` }} />
                ))}
                {isToday && <i data-now style={{ insetInlineStart: `${share(nowMs)}%` }} />}
                {own.length === 0 && <span className={styles.free}>{t('noTasks')}</span>}
                {stacked(own, nowMs).map(({ task, line }) => {
                  const { fromMs: begins, toMs: ends } = spanOf(task, nowMs);
                  const [left, right] = [share(begins), share(ends)];
                  return (
                    <button
                      key={task.id}
                      type="button"
                      className={styles.block}
                      data-state={isOver(task.state) ? 'over' : isUnderWay(task.state) ? 'running' : 'planned'}
                      data-late={isLate(task, nowMs) || willBeLate(task) || undefined}
                      aria-current={task.id === open || undefined}
                      aria-label={t('block', {
                        title: task.title,
                        window: words.window(task, nowMs),
                        state: words.state(task, nowMs),
                      })}
                      title={[task.ref, task.title].filter(Boolean).join(' · ')}
                      style={{
                        insetInlineStart: `${left}%`,
                        inlineSize: `max(28px, ${right - left}%)`,
                        insetBlockStart: `${6 + line * 28}px`,
                      }}
                      onClick={() => onOpen(task.id)}
                    >
                      {task.state === 'done' && '✓ '}
                      {task.ref ?? task.title}
                    </button>
                  );
                })}
                <div style={{ blockSize: `${12 + 28 * lines(own, nowMs)}px` }} />
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function isOn(task: Task, fromMs: number, toMs: number, nowMs: number): boolean {
  if (task.state === 'cancelled' || task.state === 'declined') return false;
  const span = spanOf(task, nowMs);
  return span.fromMs < toMs && span.toMs > fromMs;
}

/** Tasks that overlap are on separate lines. */
function stacked(tasks: readonly Task[], nowMs: number): { readonly task: Task; readonly line: number }[] {
  const ends: number[] = [];
  return tasks
    .map(task => ({ task, ...spanOf(task, nowMs) }))
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .map(({ task, fromMs, toMs }) => {
      const free = ends.findIndex(end => end <= fromMs);
      const line = free === -1 ? ends.length : free;
      ends[line] = toMs;
      return { task, line };
    });
}

const lines = (tasks: readonly Task[], nowMs: number): number =>
  Math.max(1, ...stacked(tasks, nowMs).map(({ line }) => line + 1));
