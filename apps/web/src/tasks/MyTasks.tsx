import { isOver, isUnderWay, type Task } from '@milepost/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { formatMoment } from '../format/time.ts';
import { useMinute } from '../live/view.ts';
import { useOutbox } from '../phone/phone-outbox.ts';
import { Chip } from '../ui/Chip.tsx';
import { Notice } from '../ui/Notice.tsx';
import { MyTask } from './MyTask.tsx';
import styles from './MyTasks.module.css';
import { OfficeNews } from './OfficeNews.tsx';
import { GivenProof } from './TaskProof.tsx';
import { toneOf, useTaskWords } from './task-words.ts';
import { useMyTasks } from './use-my-tasks.ts';
import { reportStep } from './use-step.ts';

/**
 * A driver's own tasks, with or without a network. Tasks under way or waiting for an answer show their next steps, the
 * others one line each. While the vehicle is moving, only the next stop shows.
 */
export function Component({ isMoving = false }: { readonly isMoving?: boolean }) {
  const { t } = useTranslation('tasks');
  const { error, owner, tasks } = useMyTasks();
  const waiting = useOutbox(state => state.waiting.length);
  const nowMs = useMinute();
  const reported = useRef(new Set<string>());
  // Opening the list marks its tasks as seen, once each: the list still says `assigned` while a report is on its way.
  useEffect(() => {
    for (const task of tasks ?? []) {
      const key = `${task.id} ${task.seqNo}`;
      if (owner === null || task.state !== 'assigned' || reported.current.has(key)) continue;
      reported.current.add(key);
      void reportStep(owner, task, { step: 'seen' }).catch(() => {});
    }
  }, [owner, tasks]);
  if (owner === null) return null;
  if (!tasks) return error ? <Notice tone="warning">{describeError(error).message}</Notice> : null;
  const shown = tasks.toSorted((a, b) => rank(a) - rank(b));
  const [first] = shown;
  if (isMoving) return first && !isOver(first.state) ? <NextStop task={first} nowMs={nowMs} /> : null;
  return (
    <section className={styles.tasks} aria-label={t('mine.title')}>
      <header className={styles.head}>
        <h2>{t('mine.title')}</h2>
        {waiting > 0 && <Chip tone="warning">{t('mine.waiting', { count: waiting })}</Chip>}
      </header>
      <OfficeNews />
      {shown.length === 0 && <p className={styles.more}>{t('mine.none')}</p>}
      {shown.map(task =>
        isOver(task.state) ? (
          <OverTask key={task.id} task={task} nowMs={nowMs} />
        ) : (
          <MyTask key={task.id} owner={owner} task={task} nowMs={nowMs} hasMap={task === first} />
        ),
      )}
    </section>
  );
}

const rank = ({ state }: Task): number => (isUnderWay(state) ? 0 : isOver(state) ? 2 : 1);

function NextStop({ task, nowMs }: { readonly task: Task; readonly nowMs: number }) {
  const { t } = useTranslation('tasks');
  const words = useTaskWords();
  return (
    <p className={styles.task}>
      <b>{t('mine.next', { place: task.stops[0]?.name ?? task.title })}</b>
      {words.window(task, nowMs)}
    </p>
  );
}

function OverTask({ task, nowMs }: { readonly task: Task; readonly nowMs: number }) {
  const words = useTaskWords();
  const at = task.steps.at(-1)?.at;
  return (
    <article className={`${styles.task} ${styles.over}`} aria-label={task.title}>
      <div>
        <h3>{task.title}</h3>
        <span className={styles.more}>{task.ref}</span>
      </div>
      <Chip tone={toneOf(task, nowMs)}>{words.state(task, nowMs)}</Chip>
      {at && <time dateTime={at}>{formatMoment(Date.parse(at), nowMs)}</time>}
      <GivenProof task={task} />
    </article>
  );
}
