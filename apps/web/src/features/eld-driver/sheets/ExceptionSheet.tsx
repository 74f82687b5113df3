import { EXCEPTIONS, type Exception } from '@milepost/hos';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { isReason, REASON_MAX } from '../reason.ts';
import { useAct } from '../use-act.ts';
import type { SheetProps } from './sheet-props.ts';

/** An exception for the current shift, which only the driver can know about. */
export function ExceptionSheet({ duty, onClose }: SheetProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const isCanadian = duty.dutyLog.ruleset.startsWith('CA_');
  const offered = EXCEPTIONS.filter(one => (one === 'deferral') === isCanadian || one === 'adverseDriving');
  const [exception, setException] = useState<Exception>('adverseDriving');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  return (
    <form
      className={styles.form}
      onSubmit={async event => {
        event.preventDefault();
        setTried(true);
        if (!isReason(reason)) return;
        if (await run({ kind: 'declare', exception, reason: reason.trim() }, t('exception.saved'))) onClose();
      }}
    >
      <SelectField
        label={t('exception.which')}
        hint={t(`exception.text.${exception}`)}
        options={offered.map(one => ({ value: one, label: t(`exception.names.${one}`) }))}
        value={exception}
        onChange={event => setException(offered.find(one => one === event.target.value) ?? 'adverseDriving')}
      />
      <TextField
        label={t('exception.reason')}
        hint={t('edit.reasonHint')}
        error={tried && !isReason(reason) ? t('edit.reasonMissing') : undefined}
        value={reason}
        maxLength={REASON_MAX}
        autoComplete="off"
        onChange={event => setReason(event.target.value)}
      />
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {t('exception.save')}
      </Button>
    </form>
  );
}
