import { isOver, isUnderWay, type Task } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import list from '../../registry/SideList.module.css';
import { isLate, spanOf, willBeLate } from '../../tasks/task-times.ts';
import { toneOf, useTaskWords } from '../../tasks/task-words.ts';
import { Chip } from '../../ui/Chip.tsx';
import { useFitWords } from './fit-words.ts';
import styles from './TaskLists.module.css';
import { draggedTask } from './task-drag.ts';

interface GroupsProps extends ListProps {
  /** Onto a driver of the board. */
  readonly mayDrag: boolean;
}

interface ListProps {
  readonly tasks: readonly Task[];
  readonly nowMs: number;
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

/** Tasks that wait: to be assigned, to be accepted, or to be assigned to another driver. */
export function TaskGroups({ tasks, nowMs, open, onOpen, mayDrag }: GroupsProps) {
  const { t } = useTranslation(['tasks', 'dispatch']);
  const words = useTaskWords();
  const fitWords = useFitWords(nowMs);
  const groups = [
    { id: 'late', tasks: tasks.filter(willBeLate) },
    { id: 'open', tasks: tasks.filter(({ state }) => state === 'open') },
    {
      id: 'waiting',
      tasks: tasks.filter(task => (task.state === 'assigned' || task.state === 'seen') && !willBeLate(task)),
    },
    { id: 'declined', tasks: tasks.filter(({ state }) => state === 'declined') },
  ] as const;
  if (groups.every(group => group.tasks.length === 0)) return <p className={list.nobody}>{t('noneHere')}</p>;
  return (
    <div className={`${list.list} ${styles.groups}`}>
      {groups.map(
        group =>
          group.tasks.length > 0 && (
            <section key={group.id} aria-label={t(`groups.${group.id}`)}>
              <h2>
                {t(`groups.${group.id}`)} <span className={styles.total}>{group.tasks.length}</span>
              </h2>
              <ul>
                {group.tasks.map(task => (
                  <li key={task.id} draggable={mayDrag} onDragStart={event => draggedTask.start(event, task.id)}>
                    <button
                      type="button"
                      className={`${list.row} ${styles.row}`}
                      aria-current={task.id === open || undefined}
                      onClick={() => onOpen(task.id)}
                    >
                      <span className={styles.line}>
                        <b>{task.ref ?? task.title}</b>
                        <span data-late={isLate(task, nowMs) || willBeLate(task) || undefined}>
                          {words.window(task, nowMs)}
                        </span>
                      </span>
                      {task.ref !== null && <span className={styles.name}>{task.title}</span>}
                      <span className={styles.more}>
                        {[task.driver?.name, task.stops.map(({ name }) => name).join(' › ')]
                          .filter(Boolean)
                          .join(' · ')}
                      </span>
                      {group.id === 'late' && task.eta && (
                        <span className={styles.late}>
                          {[fitWords.eta(task.eta), task.eta.reason && fitWords.reason(task.eta.reason)]
                            .filter(Boolean)
                            .join(' · ')}
                        </span>
                      )}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
      {mayDrag && <p className={styles.hint}>{t('dispatch:board.drag')}</p>}
    </div>
  );
}

/** All tasks of the day as a table: what is under way first, then what is planned. */
export function TaskTable({ tasks, nowMs, open, onOpen }: ListProps) {
  const { t } = useTranslation(['tasks', 'dispatch']);
  const words = useTaskWords();
  const rank = (task: Task): number => (isUnderWay(task.state) ? 0 : isOver(task.state) ? 2 : 1);
  const sorted = tasks.toSorted(
    (a, b) => rank(a) - rank(b) || spanOf(a, nowMs).fromMs - spanOf(b, nowMs).fromMs || a.title.localeCompare(b.title),
  );
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {(['task', 'driver', 'window', 'state'] as const).map(column => (
              <th key={column} scope="col">
                {t(`columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map(task => (
            <tr key={task.id} aria-current={task.id === open || undefined}>
              <td>
                <button type="button" onClick={() => onOpen(task.id)}>
                  {task.title}
                </button>
                {task.ref !== null && <span>{task.ref}</span>}
              </td>
              <td>{task.driver?.name ?? '–'}</td>
              <td>{words.window(task, nowMs)}</td>
              <td>
                <Chip tone={toneOf(task, nowMs)}>{words.state(task, nowMs)}</Chip>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
