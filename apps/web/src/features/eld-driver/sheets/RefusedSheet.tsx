import type { MyDuty } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { homeMoment } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import styles from '../Driver.module.css';
import { entryWords, refusalWords } from '../entry-words.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { dismissRefused } from '../store/kept.ts';
import { momentOf } from '../store/moment-of.ts';

/** Entries that the server refused, with reasons, until the driver has read them. */
export function RefusedSheet({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const refused = useDriverDuty(state => state.refused);
  return (
    <div className={styles.form}>
      <p>{t('refusedText')}</p>
      {refused.map(entry => (
        <section key={entry.id} className={styles.item}>
          <p>
            <b>{entryWords(t, entry.action, duty)}</b>
            <br />
            <span className={styles.quiet}>{homeMoment(Date.parse(momentOf(entry)), duty.dutyLog.timezone)}</span>
          </p>
          <p>{refusalWords(t, entry)}</p>
          <Button size="large" wide onClick={() => void dismissRefused(entry)}>
            {t('refusedUnderstood')}
          </Button>
        </section>
      ))}
    </div>
  );
}
