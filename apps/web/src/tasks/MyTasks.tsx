import { addTaskProof, isOver, isUnderWay, type Task } from '@milepost/contract';
import { IconCamera, IconCheck, IconSignature } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { describeError } from '../base/describe-error.ts';
import { queryClient } from '../base/queries.ts';
import { formatMoment } from '../format/time.ts';
import { useFromNow } from '../live/view.ts';
import { Button } from '../ui/Button.tsx';
import { Chip } from '../ui/Chip.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';
import { Notice } from '../ui/Notice.tsx';
import { TextArea, TextField } from '../ui/TextField.tsx';
import styles from './MyTasks.module.css';
import { SignaturePad } from './SignaturePad.tsx';
import { toneOf, useTaskWords } from './task-words.ts';
import { myTasksQuery, reportStep, useMyTasks } from './use-tasks.ts';

const MINUTE_MS = 60_000;
const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** A driver's own tasks, each with the one or two things that can be done next. */
export function MyTasks() {
  const { t } = useTranslation('tasks');
  const { data: tasks, error } = useMyTasks();
  const nowMs = useFromNow(now => Math.floor(now / MINUTE_MS) * MINUTE_MS);
  // Opening the list is seeing them.
  const unseen =
    tasks
      ?.filter(({ state }) => state === 'assigned')
      .map(({ id }) => id)
      .join(',') ?? '';
  useEffect(() => {
    for (const id of unseen.split(',').filter(Boolean)) {
      reportStep(id, { reportId: crypto.randomUUID(), step: 'seen', at: new Date().toISOString() }).catch(() => {});
    }
  }, [unseen]);
  if (error && !tasks) return <Notice tone="warning">{describeError(error).message}</Notice>;
  if (!tasks) return null;
  const shown = tasks.toSorted((a, b) => rank(a) - rank(b));
  return (
    <section className={styles.tasks} aria-label={t('mine.title')}>
      <h2>{t('mine.title')}</h2>
      {shown.length === 0 && <p className={styles.more}>{t('mine.none')}</p>}
      {shown.map(task => (
        <MyTask key={task.id} task={task} nowMs={nowMs} />
      ))}
    </section>
  );
}

const rank = ({ state }: Task): number => (isUnderWay(state) ? 0 : isOver(state) ? 2 : 1);

function MyTask({ task, nowMs }: { readonly task: Task; readonly nowMs: number }) {
  const { t } = useTranslation('tasks');
  const words = useTaskWords();
  const [asks, setAsks] = useState<'declined' | 'failed' | 'done' | 'sign' | null>(null);
  const step = useMutation({
    mutationFn: ({
      step: name,
      ...more
    }: {
      step: Parameters<typeof reportStep>[1]['step'];
      reason?: string;
      note?: string;
      signedBy?: string;
    }) => reportStep(task.id, { reportId: crypto.randomUUID(), step: name, at: new Date().toISOString(), ...more }),
    onSuccess: () => setAsks(null),
  });
  const proof = useMutation({
    mutationFn: (file: File | Blob) => addProof(task.id, 'photo', file),
  });
  const waits = task.state === 'assigned' || task.state === 'seen';
  const lacksPhoto = task.needsPhoto && !task.proof?.photos;
  const lacksSignature = task.needsSignature && !task.proof?.hasSignature;
  return (
    <article className={styles.task} data-running={isUnderWay(task.state) || undefined} aria-label={task.title}>
      <div className={styles.head}>
        <div>
          <h3>{task.title}</h3>
          <span className={styles.more}>
            {[task.ref, ...task.stops.map(({ name }) => name)].filter(Boolean).join(' › ')}
          </span>
        </div>
        <Chip tone={toneOf(task, nowMs)}>{words.state(task, nowMs)}</Chip>
      </div>
      <span>{words.window(task, nowMs)}</span>
      {waits && task.answerBy && (
        <span>{t('mine.answerBy', { time: formatMoment(Date.parse(task.answerBy), nowMs) })}</span>
      )}
      {task.notes && <p>{task.notes}</p>}
      {(step.error ?? proof.error) && asks === null && (
        <Notice tone="critical" role="alert">
          {describeError(step.error ?? proof.error).message}
        </Notice>
      )}
      {isUnderWay(task.state) && (task.needsPhoto || task.needsSignature) && (
        <div className={styles.proof}>
          {task.needsPhoto && (
            <label>
              <input
                className={styles.file}
                type="file"
                accept="image/png,image/jpeg,image/webp"
                capture="environment"
                onChange={event => {
                  const [file] = event.currentTarget.files ?? [];
                  event.currentTarget.value = '';
                  if (file) proof.mutate(file);
                }}
              />
              <Chip tone={lacksPhoto ? 'warning' : 'ok'}>
                <IconCamera {...ICON} />
                {task.proof?.photos ? t('mine.photos', { count: task.proof.photos }) : t('mine.addPhoto')}
              </Chip>
            </label>
          )}
          {task.needsSignature && (
            <Button icon={<IconSignature {...ICON} />} onClick={() => setAsks('sign')}>
              {t(lacksSignature ? 'mine.sign' : 'mine.signed')}
            </Button>
          )}
        </div>
      )}
      <div className={styles.actions}>
        {waits && (
          <>
            <Button onClick={() => setAsks('declined')}>{t('mine.decline')}</Button>
            <Button variant="primary" busy={step.isPending} onClick={() => step.mutate({ step: 'accepted' })}>
              {t('mine.accept')}
            </Button>
          </>
        )}
        {task.state === 'accepted' && (
          <Button variant="primary" busy={step.isPending} onClick={() => step.mutate({ step: 'enroute' })}>
            {t('mine.enroute')}
          </Button>
        )}
        {task.state === 'enroute' && (
          <Button variant="primary" busy={step.isPending} onClick={() => step.mutate({ step: 'arrived' })}>
            {t('mine.arrived')}
          </Button>
        )}
        {isUnderWay(task.state) && (
          <>
            <Button onClick={() => setAsks('failed')}>{t('mine.failed')}</Button>
            {(task.state === 'arrived' || task.state === 'working') && (
              <Button variant="primary" icon={<IconCheck {...ICON} />} onClick={() => setAsks('done')}>
                {t('mine.done')}
              </Button>
            )}
          </>
        )}
      </div>
      {asks === 'sign' && <SignDialog task={task} onClose={() => setAsks(null)} />}
      {(asks === 'declined' || asks === 'failed' || asks === 'done') && (
        <StepDialog
          task={task}
          step={asks}
          lacks={asks === 'done' ? (lacksPhoto ? 'photo' : lacksSignature ? 'signature' : null) : null}
          busy={step.isPending}
          error={step.error}
          onSend={text =>
            step.mutate(
              asks === 'done'
                ? { step: asks, note: text, signedBy: task.proof?.signedBy ?? '' }
                : { step: asks, reason: text },
            )
          }
          onClose={() => {
            step.reset();
            setAsks(null);
          }}
        />
      )}
    </article>
  );
}

async function addProof(id: string, kind: 'photo' | 'signature', file: Blob): Promise<Task> {
  const task = await call(addTaskProof, {
    params: { id },
    body: { proofId: crypto.randomUUID(), kind, file: new File([file], `${kind}.png`, { type: file.type }) },
  });
  queryClient.setQueryData(myTasksQuery.queryKey, all => all?.map(one => (one.id === id ? task : one)));
  return task;
}

interface StepProps {
  readonly task: Task;
  readonly step: 'declined' | 'failed' | 'done';
  readonly lacks: 'photo' | 'signature' | null;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onSend: (text: string) => void;
  readonly onClose: () => void;
}

function StepDialog({ task, step, lacks, busy, error, onSend, onClose }: StepProps) {
  const { t } = useTranslation(['tasks', 'forms']);
  const [text, setText] = useState('');
  const title =
    step === 'done'
      ? t('mine.finish', { title: task.title })
      : t(step === 'failed' ? 'mine.reasonTitle' : 'mine.declineTitle');
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('forms:close')}>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {lacks && <Notice tone="warning">{t(lacks === 'photo' ? 'mine.needsPhoto' : 'mine.needsSignature')}</Notice>}
      <TextArea
        label={t(step === 'done' ? 'mine.note' : 'reason')}
        optional={step === 'done' ? t('forms:optional') : undefined}
        value={text}
        maxLength={200}
        onChange={event => setText(event.currentTarget.value)}
        data-autofocus
      />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button
          variant="primary"
          busy={busy}
          disabled={lacks !== null || (step !== 'done' && text.trim() === '')}
          onClick={() => onSend(text.trim())}
        >
          {t(step === 'done' ? 'mine.done' : 'mine.send')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function SignDialog({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const { t } = useTranslation(['tasks', 'forms']);
  const [name, setName] = useState(task.proof?.signedBy ?? '');
  const drawn = useRef<(() => Promise<Blob | null>) | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const picture = await drawn.current?.();
      if (!picture) throw new Error(t('mine.needsSignature'));
      await addProof(task.id, 'signature', picture);
      // The name goes with the step that finishes it; until then it is kept beside the signature.
      queryClient.setQueryData(myTasksQuery.queryKey, all =>
        all?.map(one =>
          one.id === task.id && one.proof ? { ...one, proof: { ...one.proof, signedBy: name.trim() } } : one,
        ),
      );
    },
    onSuccess: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={t('mine.signTitle')} closeLabel={t('forms:close')}>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <TextField
        label={t('mine.signName')}
        value={name}
        maxLength={80}
        autoComplete="off"
        onChange={event => setName(event.currentTarget.value)}
        data-autofocus
      />
      <SignaturePad label={t('mine.signTitle')} clearLabel={t('mine.clear')} picture={drawn} />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button variant="primary" busy={isPending} disabled={name.trim() === ''} onClick={() => mutate()}>
          {t('mine.sign')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
