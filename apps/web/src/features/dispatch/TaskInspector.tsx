import { isOver, listDrivers, may, readTaskFile, type Task, type TaskEta } from '@milepost/contract';
import { IconPencil, IconShare, IconTrash, IconX } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatAge } from '../../format/duration.ts';
import { formatMoment } from '../../format/time.ts';
import { Question } from '../../forms/Question.tsx';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';
import { ShareDialog } from '../../sharing/ShareDialog.tsx';
import { toneOf, useTaskWords } from '../../tasks/task-words.ts';
import { changeTask, endTask, removeTask } from '../../tasks/use-tasks.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { FactList } from '../../ui/FactList.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { DriverFits } from './DriverFits.tsx';
import { useFitWords } from './fit-words.ts';
import styles from './TaskInspector.module.css';
import type { DriverChoice, Search } from './use-driver-choice.ts';

const TaskDialog = lazyPart(async () => (await import('./TaskDialog.tsx')).TaskDialog);

interface Props {
  readonly task: Task;
  readonly nowMs: number;
  readonly mayEdit: boolean;
  readonly choice: DriverChoice;
  /** The board above shows all drivers already. */
  readonly isBrief: boolean;
  readonly onClose: () => void;
}

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** One task: what it is, who has it, what the driver reported, and the proof. */
export function TaskInspector({ task, nowMs, mayEdit, choice, isBrief, onClose }: Props) {
  const { t } = useTranslation(['tasks', 'forms', 'dispatch']);
  const words = useTaskWords();
  const [dialog, setDialog] = useState<'edit' | 'cancel' | 'delete' | 'share' | null>(null);
  const mayShare = useSession(({ me }) => me !== null && may(me, 'shares.write'));
  const isClosed = isOver(task.state) && task.state !== 'declined';
  const hasDriver = task.driver !== null && task.state !== 'declined';
  // Who can have it comes first while nobody has it; then the task itself does.
  const assign = choice.search && <Assign {...{ choice, isBrief, nowMs }} search={choice.search} />;
  const fitWords = useFitWords(nowMs);
  const etaText = (eta: TaskEta): string | null => {
    const arrival = fitWords.eta(eta);
    const age = formatAge(nowMs - Date.parse(eta.at));
    const reason = eta.reason && fitWords.reason(eta.reason);
    return [arrival && t('facts.etaOf', { arrival, age }), reason].filter(Boolean).join('. ') || null;
  };
  const needs = [task.needsPhoto && t('photo'), task.needsSignature && t('signature')].filter(Boolean).join(', ');
  const facts = [
    [t('facts.ref'), task.ref],
    [t('facts.window'), words.window(task, nowMs)],
    [t('facts.eta'), task.eta && etaText(task.eta)],
    [t('facts.answerBy'), task.answerBy && formatMoment(Date.parse(task.answerBy), nowMs)],
    [t('facts.driver'), task.driver?.name],
    [t('facts.vehicle'), task.vehicle?.deviceName],
    [t('facts.priority'), task.priority !== 'normal' && t(`priority.${task.priority}`)],
    [t('facts.needs'), needs],
    [t('facts.reason'), task.reason],
    [t('facts.notes'), task.notes],
  ] as const;
  return (
    <aside className={styles.inspector} aria-label={t('details', { title: task.title })}>
      <header>
        <div>
          <h2>{task.title}</h2>
          <Chip tone={toneOf(task, nowMs)}>{words.state(task, nowMs)}</Chip>
        </div>
        <IconButton label={t('forms:close')} onClick={onClose}>
          <IconX size={18} stroke={1.75} aria-hidden />
        </IconButton>
      </header>
      {assign}
      <div className={styles.about} data-first={hasDriver || undefined}>
        <FactList facts={facts} />
        {task.stops.length > 0 && (
          <section>
            <h3>{t('form.stops')}</h3>
            <ol className={styles.stops}>
              {task.stops.map((stop, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a stop is identified by its position in the list.
                <li key={i}>
                  <b>{stop.name}</b>
                  <span>{`${stop.lat.toFixed(4)}, ${stop.lon.toFixed(4)}`}</span>
                </li>
              ))}
            </ol>
          </section>
        )}
        {task.proof && <Proof task={task} />}
        {task.steps.length > 0 && (
          <section>
            <h3>{t('history')}</h3>
            <ol className={styles.steps}>
              {task.steps.map(step => (
                <li key={`${step.state} ${step.at}`}>
                  <b>{t(`state.${step.state}`)}</b>
                  <span>
                    {[formatMoment(Date.parse(step.at), nowMs), t(`by.${step.by}`, { name: step.name ?? '' })]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </ol>
          </section>
        )}
        {dialog === 'share' && task.vehicle && (
          <ShareDialog open vehicles={[task.vehicle]} task={task} onClose={() => setDialog(null)} />
        )}
        {mayEdit && (
          <footer>
            {mayShare && task.vehicle && task.stops.length > 0 && !isOver(task.state) && (
              <Button icon={<IconShare {...ICON} />} onClick={() => setDialog('share')}>
                {t('dispatch:shareEta')}
              </Button>
            )}
            {!isClosed && (
              <Button icon={<IconPencil {...ICON} />} onClick={() => setDialog('edit')}>
                {t('edit')}
              </Button>
            )}
            {!isOver(task.state) && task.state !== 'open' && (
              <Button icon={<IconX {...ICON} />} onClick={() => setDialog('cancel')}>
                {t('cancel')}
              </Button>
            )}
            {(isOver(task.state) || task.state === 'open') && (
              <Button icon={<IconTrash {...ICON} />} onClick={() => setDialog('delete')}>
                {t('delete')}
              </Button>
            )}
          </footer>
        )}
      </div>
      {dialog === 'edit' && <TaskDialog task={task} onClose={() => setDialog(null)} onSaved={() => setDialog(null)} />}
      {(dialog === 'cancel' || dialog === 'delete') && (
        <EndDialog
          task={task}
          how={dialog}
          onClose={() => setDialog(null)}
          onEnded={dialog === 'delete' ? onClose : undefined}
        />
      )}
    </aside>
  );
}

interface AssignProps {
  readonly choice: DriverChoice;
  readonly search: Search;
  readonly isBrief: boolean;
  readonly nowMs: number;
}

/** Assigns the task to a driver, or removes it from them. */
function Assign({ choice, search, isBrief, nowMs }: AssignProps) {
  const { t } = useTranslation('tasks');
  const { seesHours, answer } = choice;
  const { task, chosen: driverId, onChoose } = search;
  const { data: drivers } = useQuery({ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers), enabled: !seesHours });
  const now = task.state === 'declined' ? '' : (task.driver?.id ?? '');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeTask(task.id, { driverId: driverId || null }),
    onSuccess: ({ driver, title }) =>
      toast(driver ? t('assigned', { title, name: driver.name }) : t('takenBack', { title })),
  });
  return (
    <div className={styles.assign}>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {seesHours ? (
        <DriverFits
          {...{ answer, isBrief, nowMs, onChoose }}
          mayBeNobody={!isBrief || now !== ''}
          hasStops={task.stops.length > 0}
          value={driverId}
        />
      ) : (
        <SelectField
          label={t('assignTo')}
          value={driverId}
          onChange={event => onChoose(event.currentTarget.value)}
          options={[
            { value: '', label: t('form.noDriver') },
            ...(drivers ?? [])
              .filter(({ archived }) => !archived)
              .map(({ id, name, vehicle }) => ({
                value: id,
                label: vehicle ? `${name} · ${vehicle.deviceName}` : name,
              })),
          ]}
        />
      )}
      <Button variant="primary" busy={isPending} disabled={driverId === now} onClick={() => mutate()}>
        {t('assign')}
      </Button>
    </div>
  );
}

function Proof({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks');
  const { proof } = task;
  if (!proof) return null;
  const kinds = [proof.photos > 0 && t('photo'), proof.hasSignature && t('signature')].filter(Boolean).join(', ');
  return (
    <section>
      {kinds && <h3>{kinds}</h3>}
      <div className={styles.proof}>
        {Array.from({ length: proof.photos }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: photos are identified by their number.
          <ProofPicture key={i} id={task.id} part={String(i)} label={t('photoNumber', { number: i + 1 })} />
        ))}
        {proof.hasSignature && (
          <ProofPicture id={task.id} part="signature" label={t('signedBy', { name: proof.signedBy ?? '' })} />
        )}
      </div>
      {proof.signedBy && <p>{t('signedBy', { name: proof.signedBy })}</p>}
      {proof.note && (
        <p>
          <b>{t('note')}:</b> {proof.note}
        </p>
      )}
    </section>
  );
}

function ProofPicture({ id, part, label }: { readonly id: string; readonly part: string; readonly label: string }) {
  const { data } = useQuery({
    queryKey: ['tasks', 'proof', id, part],
    queryFn: () => call(readTaskFile, { params: { id, part } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <Picture file={data} label={label} />;
}

interface EndProps {
  readonly task: Task;
  readonly how: 'cancel' | 'delete';
  readonly onClose: () => void;
  readonly onEnded: (() => void) | undefined;
}

function EndDialog({ task: { id, title }, how, onClose, onEnded }: EndProps) {
  const { t } = useTranslation(['tasks', 'forms']);
  const [reason, setReason] = useState('');
  return (
    <Question
      title={t(`${how}Title`, { title })}
      action={t(how)}
      cancel={t('keep')}
      act={async () => {
        if (how === 'cancel') await endTask(id, reason.trim());
        else await removeTask(id);
      }}
      onDone={() => {
        toast(t(how === 'cancel' ? 'cancelled' : 'deleted'));
        onClose();
        onEnded?.();
      }}
      onClose={onClose}
    >
      <p>{t(`${how}Text`)}</p>
      {how === 'cancel' && (
        <TextField
          label={t('reason')}
          optional={t('forms:optional')}
          value={reason}
          maxLength={200}
          onChange={event => setReason(event.currentTarget.value)}
        />
      )}
    </Question>
  );
}
