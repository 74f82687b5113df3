import { may, type Task, type TaskFit } from '@milepost/contract';
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { useMedia } from '../../base/use-media.ts';
import { endOfDay, formatDay, startOfDay } from '../../format/time.ts';
import { showLivePositions } from '../../live/live.ts';
import { useMinute } from '../../live/view.ts';
import { RegistryState } from '../../registry/RegistryState.tsx';
import list from '../../registry/SideList.module.css';
import { useRegistry } from '../../registry/use-registry.ts';
import { isLate, willBeLate } from '../../tasks/task-times.ts';
import { tasksQuery } from '../../tasks/use-tasks.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import styles from './DispatchPage.module.css';
import { DriverBoard } from './DriverBoard.tsx';
import { TaskInspector } from './TaskInspector.tsx';
import { TaskGroups, TaskTable } from './TaskLists.tsx';
import { type Search, useDriverChoice } from './use-driver-choice.ts';

const TaskDialog = lazyPart(async () => (await import('./TaskDialog.tsx')).TaskDialog);

const TaskMap = lazyChunk(async () => (await import('./TaskMap.tsx')).TaskMap);

const MINUTE_MS = 60_000;
const NEW_TASK = 'new';
const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
type View = 'driver' | 'list' | 'map';
/** There is room for the map beside the open task, below the board. */
const WIDE = '(min-width: 80em)';
const NOBODY: readonly string[] = [];

/** `/dispatch`: what has to be done, by whom, and how far each task is. */
export function Component() {
  const { t } = useTranslation(['tasks', 'registry', 'shell', 'dispatch']);
  const mayEdit = useSession(({ me }) => me !== null && may(me, 'tasks.write'));
  const nowMs = useMinute();
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
  const dropTask = (taskId: string, driverId: string): void => {
    openRow(taskId);
    choice.choose(taskId, driverId);
  };
  const toDay = (days: number): void => setDay(startOfDay(dayMs + days * 86_400_000 + 43_200_000));
  useShortcuts([
    { keys: ['['], label: t('previousDay'), group: t('title'), run: () => toDay(-1) },
    { keys: [']'], label: t('nextDay'), group: t('title'), run: () => toDay(1) },
    { keys: ['n'], label: t('new'), group: t('title'), run: () => mayEdit && openRow(NEW_TASK) },
  ]);

  const choice = useDriverChoice(opened, mayEdit, dayMs);
  const { fits, search } = choice;
  const isWide = useMedia(WIDE);
  useEffect(showLivePositions, []);
  const late = found.filter(task => isLate(task, nowMs) || willBeLate(task)).length;
  const isNone = tasks?.length === 0;
  return (
    <div className={styles.page} data-page="flow" data-open={opened !== null || undefined} data-view={view}>
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
        className={`${styles.side} ${list.side}`}
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
        <TaskGroups tasks={found} nowMs={nowMs} open={open} onOpen={openRow} mayDrag={mayEdit && view === 'driver'} />
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
          <DriverBoard
            tasks={found}
            fromMs={dayMs}
            toMs={endOfDay(dayMs)}
            nowMs={nowMs}
            open={open}
            onOpen={openRow}
            fits={fits}
            search={search}
            isWide={isWide}
            onDropTask={mayEdit ? dropTask : null}
          />
        ) : view === 'map' ? (
          <Part>
            <TaskMap tasks={asIfAssigned(found, search, fits)} others={NOBODY} open={open} onOpen={openRow} />
          </Part>
        ) : (
          <TaskTable tasks={found} nowMs={nowMs} open={open} onOpen={openRow} />
        )}
      </section>
      {opened && (
        <div className={styles.detail}>
          {isWide && view === 'driver' && (
            <div className={styles.map}>
              <Part>
                <TaskMap
                  tasks={asIfAssigned(found, search, fits)}
                  others={ableToMakeIt(fits)}
                  {...{ open }}
                  onOpen={openRow}
                />
              </Part>
            </div>
          )}
          <TaskInspector
            key={opened.id}
            task={opened}
            nowMs={nowMs}
            mayEdit={mayEdit}
            choice={choice}
            isBrief={isWide && view === 'driver'}
            onClose={() => openRow(null)}
          />
        </div>
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

/** The map shows the way of the driver who is chosen, before they have the task. */
function asIfAssigned(tasks: readonly Task[], search: Search | null, fits: readonly TaskFit[]): readonly Task[] {
  const fit = search && fits.find(({ driver }) => driver.id === search.chosen);
  if (!fit) return tasks;
  const { driver, vehicle } = fit;
  return tasks.map(task => (task.id === search.task.id ? { ...task, driver, vehicle } : task));
}

const ableToMakeIt = (fits: readonly TaskFit[]): readonly string[] =>
  fits.flatMap(({ fits, vehicle }) => (fits && vehicle ? [vehicle.imei] : []));
