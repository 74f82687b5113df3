import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { logDate } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import styles from '../Driver.module.css';
import { useAct } from '../use-act.ts';
import { CERTIFICATION } from './certification.ts';
import type { SheetProps } from './sheet-props.ts';

/** Certifies one finished day, or all of them. */
export function CertifySheet({ duty, onClose }: SheetProps) {
  const { i18n, t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const days = duty.toCertify.toSorted();
  const [left, setLeft] = useState<readonly string[]>([]);
  const chosen = days.filter(day => !left.includes(day));
  if (days.length === 0) return <p className={styles.form}>{t('certify.none')}</p>;
  return (
    <div className={styles.form}>
      <fieldset className={styles.days}>
        <legend>{t('certify.choose')}</legend>
        {days.map(day => (
          <Checkbox
            key={day}
            className={styles.check}
            checked={!left.includes(day)}
            onChange={event => setLeft(event.target.checked ? left.filter(one => one !== day) : [...left, day])}
          >
            {logDate(day)}
          </Checkbox>
        ))}
      </fieldset>
      <p lang="en">
        <b>{CERTIFICATION}</b>
      </p>
      {!i18n.language.startsWith('en') && <p className={styles.quiet}>{t('certify.meaning')}</p>}
      <Button
        variant="primary"
        size="large"
        wide
        busy={busy}
        disabled={chosen.length === 0}
        onClick={async () => {
          if (await run({ kind: 'certify', dates: chosen }, t('certify.saved', { count: chosen.length }))) onClose();
        }}
      >
        {t('certify.agree')}
      </Button>
      <Button size="large" wide onClick={onClose}>
        {t('certify.notReady')}
      </Button>
    </div>
  );
}
