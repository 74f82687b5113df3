import type { MyDuty, ShownRecord } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { momentInSentence } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import styles from '../Driver.module.css';
import { useAct } from '../use-act.ts';

/** Changes proposed by the carrier. None counts until the driver accepts it. */
export function ChangesSheet({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const open = duty.days.flatMap(({ records, timeZone }) =>
    records
      .filter(({ state }) => state === 'change-requested')
      .map(record => ({ record, timeZone, before: records.find(({ id }) => id === record.replaces) })),
  );
  if (open.length === 0) return <p className={styles.form}>{t('changes.none')}</p>;
  return (
    <div className={styles.form}>
      {open.map(one => (
        <Change key={one.record.id} {...one} />
      ))}
      <p className={styles.quiet}>{t('changes.recertify')}</p>
    </div>
  );
}

interface ChangeProps {
  readonly record: ShownRecord;
  readonly before: ShownRecord | undefined;
  readonly timeZone: string;
}

function Change({ before, record, timeZone }: ChangeProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const { busy, run } = useAct();
  const status = record.status ?? 'OFF';
  const answer = (accept: boolean) =>
    void run({ kind: 'answer', proposal: record.id, accept }, t(accept ? 'changes.accepted' : 'changes.rejected'));
  return (
    <section className={styles.item}>
      <p>
        <DutyChip status={status} label={t(`logbook:status.${status}`)} />{' '}
        {t('changes.text', {
          name: record.by ?? t('todo.fromOffice'),
          status: t(`logbook:status.${status}`),
          time: momentInSentence(Date.parse(record.at), timeZone),
        })}
      </p>
      <p className={styles.quiet}>
        {before
          ? t('changes.instead', {
              status: before.status ? t(`logbook:status.${before.status}`) : '',
              time: momentInSentence(Date.parse(before.at), timeZone),
            })
          : t('changes.additional')}
      </p>
      {record.note !== '' && <p>{t('changes.reason', { reason: record.note })}</p>}
      <div className={styles.two}>
        <Button size="large" busy={busy} onClick={() => answer(false)}>
          {t('changes.reject')}
        </Button>
        <Button size="large" variant="primary" busy={busy} onClick={() => answer(true)}>
          {t('changes.accept')}
        </Button>
      </div>
    </section>
  );
}
