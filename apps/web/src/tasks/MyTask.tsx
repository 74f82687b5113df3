import { isUnderWay, type Task } from '@milepost/contract';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { formatMoment, formatTime } from '../format/time.ts';
import { Button } from '../ui/Button.tsx';
import { Chip } from '../ui/Chip.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';
import { Notice } from '../ui/Notice.tsx';
import { TextArea } from '../ui/TextField.tsx';
import styles from './MyTasks.module.css';
import { SignDialog } from './SignDialog.tsx';
import { TaskMap } from './TaskMap.tsx';
import { TaskProof } from './TaskProof.tsx';
import { TaskStops } from './TaskStops.tsx';
import { stepAt } from './task-times.ts';
import { toneOf, useTaskWords } from './task-words.ts';
import { type Step, useStep } from './use-step.ts';

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;
const WAY = ['accepted', 'enroute', 'arrived', 'done'] as const;
/** The driver's next step on the way. */
const NEXT = { accepted: 'enroute', enroute: 'arrived' } as const;

interface Props {
  /** The signed-in user. */
  readonly owner: string;
  readonly task: Task;
  readonly nowMs: number;
  /** The first of the list: one map is enough, and a phone draws only few. */
  readonly hasMap: boolean;
}

/** A task that is not over, with its next one or two steps. */
export function MyTask({ owner, task, nowMs, hasMap }: Props) {
  const { t } = useTranslation('tasks');
  const words = useTaskWords();
  const [asks, setAsks] = useState<'declined' | 'failed' | 'done' | 'sign' | null>(null);
  const { error, proof, step } = useStep(owner, task);
  const close = () => setAsks(null);
  const report = (what: Step) => step.mutate(what, { onSuccess: close });
  const waits = task.state === 'assigned' || task.state === 'seen';
  const underWay = isUnderWay(task.state);
  const photos = task.proof?.photos ?? 0;
  const hasSignature = task.proof?.hasSignature ?? false;
  const lacks = task.needsPhoto && photos === 0 ? 'photo' : task.needsSignature && !hasSignature ? 'signature' : null;
  const next = task.state === 'accepted' || task.state === 'enroute' ? NEXT[task.state] : null;
  return (
    <article className={styles.task} data-running={underWay || undefined} aria-label={task.title}>
      <div className={styles.head}>
        <div>
          <h3>{task.title}</h3>
          {task.ref && <span className={styles.more}>{task.ref}</span>}
        </div>
        <Chip tone={toneOf(task, nowMs)}>{words.state(task, nowMs)}</Chip>
      </div>
      {hasMap && <TaskMap task={task} />}
      <span className={styles.window}>{words.window(task, nowMs)}</span>
      {waits && task.answerBy && (
        <span>{t('mine.answerBy', { time: formatMoment(Date.parse(task.answerBy), nowMs) })}</span>
      )}
      {task.notes && <p>{task.notes}</p>}
      <TaskStops stops={task.stops} nowMs={nowMs} />
      {underWay && <Way task={task} />}
      {error && asks === null && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {underWay && (task.needsPhoto || task.needsSignature) && (
        <TaskProof
          task={task}
          busy={proof.isPending}
          onPhoto={file => proof.mutate({ proof: 'photo', file })}
          onSign={() => setAsks('sign')}
        />
      )}
      <div className={styles.actions}>
        {waits && (
          <>
            <Button onClick={() => setAsks('declined')}>{t('mine.decline')}</Button>
            <Button variant="primary" busy={step.isPending} onClick={() => report({ step: 'accepted' })}>
              {t('mine.accept')}
            </Button>
          </>
        )}
        {underWay && (
          <Button icon={<IconAlertTriangle {...ICON} />} onClick={() => setAsks('failed')}>
            {t('mine.failed')}
          </Button>
        )}
        {next && (
          <Button variant="primary" busy={step.isPending} onClick={() => report({ step: next })}>
            {t(`mine.${next}`)}
          </Button>
        )}
        {underWay && next === null && (
          <Button variant="primary" icon={<IconCheck {...ICON} />} onClick={() => setAsks('done')}>
            {t('mine.done')}
          </Button>
        )}
      </div>
      {asks === 'sign' && (
        <SignDialog
          signedBy={task.proof?.signedBy ?? ''}
          busy={proof.isPending}
          error={proof.error}
          onSign={(file, signedBy) => proof.mutate({ proof: 'signature', file, signedBy }, { onSuccess: close })}
          onClose={close}
        />
      )}
      {(asks === 'declined' || asks === 'failed' || asks === 'done') && (
        <StepDialog
          title={task.title}
          step={asks}
          lacks={asks === 'done' ? lacks : null}
          busy={step.isPending}
          error={step.error}
          onSend={text =>
            report(
              asks === 'done'
                ? { step: asks, note: text, signedBy: task.proof?.signedBy ?? '' }
                : { step: asks, reason: text },
            )
          }
          onClose={() => {
            step.reset();
            close();
          }}
        />
      )}
    </article>
  );
}

/** The steps so far, with their times. */
function Way({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks');
  const reached = WAY.map(state => stepAt(task, state));
  const last = reached.findLastIndex(at => at !== null);
  return (
    <ol className={styles.way}>
      {WAY.map((state, nth) => {
        const at = reached[nth] ?? null;
        return (
          <li key={state} data-reached={nth <= last || undefined} data-next={nth === last + 1 || undefined}>
            <span className={styles.mark}>{nth <= last && <IconCheck size={14} stroke={2.5} aria-hidden />}</span>
            <span>{t(`state.${state}`)}</span>
            <span className={styles.more}>{at === null ? '' : formatTime(at)}</span>
          </li>
        );
      })}
    </ol>
  );
}

interface StepProps {
  readonly title: string;
  readonly step: 'declined' | 'failed' | 'done';
  readonly lacks: 'photo' | 'signature' | null;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onSend: (text: string) => void;
  readonly onClose: () => void;
}

function StepDialog({ title, step, lacks, busy, error, onSend, onClose }: StepProps) {
  const { t } = useTranslation(['tasks', 'forms']);
  const [text, setText] = useState('');
  const head =
    step === 'done' ? t('mine.finish', { title }) : t(step === 'failed' ? 'mine.reasonTitle' : 'mine.declineTitle');
  return (
    <Dialog open onClose={onClose} title={head} closeLabel={t('forms:close')}>
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
