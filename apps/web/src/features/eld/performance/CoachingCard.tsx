import { type Coaching, coachingSchema, createCoaching, may, updateCoaching } from '@milepost/contract';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { isoDateOf } from '../../../format/date.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFromNow } from '../../../live/view.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { TextArea, TextField } from '../../../ui/TextField.tsx';
import { useRefresh } from '../use-refresh.ts';
import { useWrite } from '../use-write.ts';
import styles from './Inspector.module.css';

interface Props {
  readonly driverId: string;
  readonly coaching: readonly Coaching[];
  /** It is the signed-in driver's, who reads it. */
  readonly own?: boolean;
}

/** Agreements with the driver, their due dates, and whether they are done. */
export function CoachingCard({ driverId, coaching, own = false }: Props) {
  const { t } = useTranslation('eld');
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write')) && !own;
  const [isAdding, setIsAdding] = useState(false);
  const today = useFromNow(isoDateOf);
  const open = coaching.filter(({ doneAt }) => doneAt === null);
  const { mutate, isPending } = useWrite(
    (id: string) => call(updateCoaching, { params: { driverId, id }, body: { done: true } }),
    t('coaching.finished'),
  );
  return (
    <section className={styles.card}>
      <header>
        <h3>{t('coaching.title')}</h3>
        {open.length > 0 && <Chip tone="warning">{t('coaching.open', { count: open.length })}</Chip>}
      </header>
      {coaching.length === 0 && !isAdding && <p>{t('coaching.none')}</p>}
      <ul className={styles.coaching}>
        {coaching.map(({ id, text, dueOn, by, doneAt }) => (
          <li key={id} data-done={doneAt !== null || undefined}>
            <p>{text}</p>
            <span>
              {by} ·{' '}
              {doneAt === null
                ? t(dueOn < today ? 'coaching.overdue' : 'coaching.due', { date: logDate(dueOn) })
                : t('coaching.done', { date: logDate(isoDateOf(Date.parse(doneAt))) })}
            </span>
            {doneAt === null && mayWrite && (
              <Button
                icon={<IconCheck size={16} stroke={1.75} aria-hidden />}
                busy={isPending}
                onClick={() => mutate(id)}
              >
                {t('coaching.markDone')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayWrite &&
        (isAdding ? (
          <AddCoaching driverId={driverId} onDone={() => setIsAdding(false)} />
        ) : (
          <Button icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => setIsAdding(true)}>
            {t('coaching.add')}
          </Button>
        ))}
    </section>
  );
}

const newNoteSchema = coachingSchema.pick({ text: true, dueOn: true });
const WEEK_MS = 7 * 86_400_000;

function AddCoaching({ driverId, onDone }: { readonly driverId: string; readonly onDone: () => void }) {
  const { t } = useTranslation(['eld', 'forms']);
  const refresh = useRefresh();
  const [initial] = useState(() => ({ text: '', dueOn: isoDateOf(Date.now() + WEEK_MS) }));
  const [today] = useState(() => isoDateOf(Date.now()));
  const form = useForm({
    schema: newNoteSchema,
    initial,
    save: body => call(createCoaching, { params: { driverId }, body }),
    onSaved: () => {
      toast(t('coaching.added'));
      void refresh();
      onDone();
    },
  });
  return (
    <FormFrame form={form} label={t('coaching.add')}>
      <TextArea {...form.text('text')} label={t('coaching.text')} maxLength={500} />
      <TextField {...form.text('dueOn')} type="date" min={today} label={t('coaching.dueOn')} />
      <div className={styles.actions}>
        <Button onClick={onDone}>{t('forms:cancel')}</Button>
        <Button variant="primary" type="submit" busy={form.saving}>
          {t('coaching.add')}
        </Button>
      </div>
    </FormFrame>
  );
}
