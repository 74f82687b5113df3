import { isOver, isUnderWay, may, type Task } from '@milepost/contract';
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { endOfDay, formatDay, startOfDay } from '../../format/time.ts';
import { useFromNow } from '../../live/view.ts';
import { RegistryState } from '../../registry/RegistryState.tsx';
import { useRegistry } from '../../registry/use-registry.ts';
import { isLate, spanOf, willBeLate } from '../../tasks/task-times.ts';
import { toneOf, useTaskWords } from '../../tasks/task-words.ts';
import { tasksQuery } from '../../tasks/use-tasks.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import styles from './DispatchPage.module.css';
import { DriverBoard } from './DriverBoard.tsx';
import { useFitWords } from './fit-words.ts';
import { TaskDialog } from './TaskDialog.tsx';
import { TaskInspector } from './TaskInspector.tsx';

const TaskMap = lazyChunk(async () => (await import('./TaskMap.tsx')).TaskMap);

const MINUTE_MS = 60_000;
const NEW_TASK = 'new';
const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
type View = 'driver' | 'list' | 'map';

/** `/dispatch`: what has to be done, by whom, and how far each task is. */
export function Component() {
  const { t } = useTranslation(['tasks', 'registry', 'shell', 'dispatch']);
  const mayEdit = useSession(({ me }) => me !== null && may(me, 'tasks.write'));
  const nowMs = useFromNow(now => Math.floor(now / MINUTE_MS) * MINUTE_MS);
  const [day, setDay] = useState<number | null>(null);
  const dayMs = startOfDay(day ?? nowMs);
  const {
    data: tasks,
    error,
    refetch,
  } = useQuery({ ...tasksQuery(dayMs, endOfDay(dayMs)), refetchInterval: MINUTE_MS });
  const registry = useRegistry();
  const { open, openRow, query } = registry;
  const [view, setView] = useState<View>('driver');
  const words = query.trim().toLocaleLowerCase();
  const found = (tasks ?? []).filter(task => textOf(task).includes(words));
  const opened = tasks?.find(({ id }) => id === open) ?? null;
  const toDay = (days: number): void => setDay(startOfDay(dayMs + days * 86_400_000 + 43_200_000));
  useShortcuts([
    { keys: ['['], label: t('previousDay'), group: t('title'), run: () => toDay(-1) },
    { keys: [']'], label: t('nextDay'), group: t('title'), run: () => toDay(1) },
    { keys: ['n'], label: t('new'), group: t('title'), run: () => mayEdit && openRow(NEW_TASK) },
  ]);

  const late = found.filter(task => isLate(task, nowMs)).length;
  const isNone = tasks?.length === 0;
  return (
    <div className={styles.page} data-page="flow" data-open={opened !== null || undefined}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <header className={styles.head}>
        <h1>{t('title')}</h1>
        <div className={styles.day}>
          <IconButton bordered label={t('previousDay')} onClick={() => toDay(-1)}>
            <IconChevronLeft {...ICON} />
          </IconButton>
          <button type="button" className={styles.date} onClick={() => setDay(null)}>
            {dayMs === startOfDay(nowMs) ? t('today') : formatDay(dayMs)}
          </button>
          <IconButton bordered label={t('nextDay')} onClick={() => toDay(1)}>
            <IconChevronRight {...ICON} />
          </IconButton>
        </div>
        <Segments
          label={t('views.label')}
          segments={(['driver', 'list', 'map'] as const).map(id => ({ id, label: t(`views.${id}`) }))}
          chosen={view}
          onChoose={setView}
        />
        <span className={styles.summary}>{tasks && t('summary', { count: found.length, late })}</span>
        {mayEdit && (
          <Button
            variant="primary"
            icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
            onClick={() => openRow(NEW_TASK)}
          >
            {t('new')}
          </Button>
        )}
      </header>
      {error && tasks && <Notice tone="warning">{describeError(error).message}</Notice>}
      <section
        className={styles.side}
        aria-label={t('side')}
        data-hidden={opened !== null || view === 'map' || undefined}
      >
        <SearchBox
          value={query}
          onSearch={registry.search}
          label={t('search')}
          placeholder={t('search')}
          clearLabel={t('registry:clearSearch')}
        />
        <Groups tasks={found} nowMs={nowMs} open={open} onOpen={openRow} />
      </section>
      <section
        className={styles.main}
        // The board of drivers has a name of its own.
        aria-label={view === 'driver' ? undefined : t(view === 'list' ? 'list' : 'views.map')}
      >
        {isNone || !tasks ? (
          <RegistryState
            total={tasks?.length}
            error={error}
            onRetry={() => void refetch()}
            onClear={registry.clear}
            empty={{
              title: t('none'),
              text: t('noneText'),
              action: mayEdit && <Button onClick={() => openRow(NEW_TASK)}>{t('new')}</Button>,
            }}
          />
        ) : view === 'driver' ? (
          <DriverBoard tasks={found} fromMs={dayMs} toMs={endOfDay(dayMs)} nowMs={nowMs} open={open} onOpen={openRow} />
        ) : view === 'map' ? (
          <Part>
            <TaskMap tasks={found} open={open} onOpen={openRow} />
          </Part>
        ) : (
          <TaskTable tasks={found} nowMs={nowMs} open={open} onOpen={openRow} />
        )}
      </section>
      {opened && (
        <TaskInspector key={opened.id} task={opened} nowMs={nowMs} mayEdit={mayEdit} onClose={() => openRow(null)} />
      )}
      {open === NEW_TASK && mayEdit && (
        <TaskDialog task={null} onClose={() => openRow(null)} onSaved={({ id }) => openRow(id)} />
      )}
    </div>
  );
}

/** The text that the search looks in. */
const textOf = ({ title, ref, driver, stops, vehicle }: Task): string =>
  [title, ref, driver?.name, vehicle?.deviceName, ...stops.map(({ name }) => name)]
    .filter(Boolean)
    .join(' ')
    .toLocaleLowerCase();

interface ListProps {
  readonly tasks: readonly Task[];
  readonly nowMs: number;
  readonly open: string | null;
  readonly onOpen: (id: string | null) => void;
}

/** Tasks that wait: to be assigned, to be accepted, or to be assigned to another driver. */
function Groups({ tasks, nowMs, open, onOpen }: ListProps) {
  const { t } = useTranslation('tasks');
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
  if (groups.every(group => group.tasks.length === 0)) return <p className={styles.nothing}>{t('noneHere')}</p>;
  return (
    <div className={styles.groups}>
      {groups.map(
        group =>
          group.tasks.length > 0 && (
            <section key={group.id} aria-label={t(`groups.${group.id}`)}>
              <h2>
                {t(`groups.${group.id}`)} <span className={styles.total}>{group.tasks.length}</span>
              </h2>
              <ul>
                {group.tasks.map(task => (
                  <li key={task.id}>
                    <button
                      type="button"
                      className={styles.row}
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
    </div>
  );
}

function TaskTable({ tasks, nowMs, open, onOpen }: ListProps) {
  const { t } = useTranslation('tasks');
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
