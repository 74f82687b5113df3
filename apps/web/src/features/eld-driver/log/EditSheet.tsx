import type { LogDay, MyDuty, ShownRecord } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { homeTime } from '../../../logbook/home-time.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { focusInvalid } from '../focus-invalid.ts';
import { isReason, REASON_MAX } from '../reason.ts';
import { STATUSES } from '../statuses.ts';
import { useAct } from '../use-act.ts';
import { momentIn } from './moment-in.ts';

interface Props {
  readonly duty: MyDuty;
  readonly day: LogDay;
  /** Null to add an entry. */
  readonly record: ShownRecord | null;
  readonly onClose: () => void;
}

/** Edits or adds a record. An edited record stays in the log (Appendix A, 4.3.2.8). */
export function EditSheet({ day, duty, onClose, record }: Props) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const { busy, run } = useAct();
  const [status, setStatus] = useState(record?.status ?? 'OFF');
  const [time, setTime] = useState(record ? homeTime(Date.parse(record.at), day.timeZone) : '');
  const [place, setPlace] = useState('');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  // Keep the record's exact time unless the minute was changed.
  const isUnmoved = record !== null && time === homeTime(Date.parse(record.at), day.timeZone);
  const atMs = isUnmoved ? Date.parse(record.at) : momentIn(day, time);
  const isTimeFine = atMs !== null && atMs <= dutyClock.now();
  const offered = STATUSES.filter(
    one => (one !== 'PC' || duty.driver.mayUsePersonally) && (one !== 'YM' || duty.driver.mayMoveInYard),
  );
  return (
    <form
      className={styles.form}
      onSubmit={async event => {
        event.preventDefault();
        setTried(true);
        if (!isTimeFine || !isReason(reason)) return focusInvalid(event.currentTarget);
        const at = new Date(atMs).toISOString();
        const change = { status, at, place: place.trim() || null, reason: reason.trim() };
        if (await run({ kind: 'edit', replaces: record?.id ?? null, ...change }, t('edit.saved'))) onClose();
      }}
    >
      <SelectField
        label={t('edit.status')}
        options={offered.map(one => ({ value: one, label: `${one} · ${t(`logbook:status.${one}`)}` }))}
        value={status}
        onChange={event => setStatus(offered.find(one => one === event.target.value) ?? status)}
      />
      <TextField
        label={t('edit.at')}
        type="time"
        error={tried && !isTimeFine ? t('edit.timeWrong') : undefined}
        value={time}
        onChange={event => setTime(event.target.value)}
      />
      <TextField
        label={t('edit.place')}
        optional={t('change.optional')}
        value={place}
        maxLength={60}
        autoComplete="off"
        onChange={event => setPlace(event.target.value)}
      />
      <TextField
        label={t('edit.reason')}
        hint={t('edit.reasonHint')}
        error={tried && !isReason(reason) ? t('edit.reasonMissing') : undefined}
        value={reason}
        maxLength={REASON_MAX}
        autoComplete="off"
        onChange={event => setReason(event.target.value)}
      />
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {t('edit.save')}
      </Button>
    </form>
  );
}
