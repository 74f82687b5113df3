import { type Coaching, may, updateCoaching } from '@milepost/contract';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { isoDateOf } from '../../../format/date.ts';
import { useFromNow } from '../../../live/view.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { useWrite } from '../use-write.ts';
import styles from './Inspector.module.css';

const AddCoaching = lazyPart(async () => (await import('./AddCoaching.tsx')).AddCoaching);

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
