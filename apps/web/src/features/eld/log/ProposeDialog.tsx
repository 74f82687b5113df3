import {
  type LogDay,
  proposedSchema,
  proposeEdit,
  SHOWN_STATUSES,
  type ShownRecord,
  type ShownStatus,
} from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { homeTime, logDate, momentOnDay } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useRefresh } from '../use-refresh.ts';
import { Effect } from './Effect.tsx';
import styles from './ProposeDialog.module.css';

interface Props {
  readonly day: LogDay;
  readonly onClose: () => void;
}

interface Values {
  /** ID of the record to replace; empty to add a record. */
  readonly replaces: string;
  readonly status: ShownStatus;
  /** `HH:MM` in the terminal's time zone. */
  readonly at: string;
  readonly place: string;
  readonly reason: string;
}

const SETTLE_MS = 500;

/** Records that a change may replace: active status records, except automatically recorded driving. */
const isReplaceable = ({ status, state, isLocked }: ShownRecord): boolean =>
  status !== null && state === 'active' && !isLocked;

/** A change proposed to the driver. It shows its effect before it is sent. */
export function ProposeDialog({ day, onClose }: Props) {
  const { t } = useTranslation(['eld', 'forms', 'logbook']);
  const refresh = useRefresh();
  const replaceable = day.records.filter(isReplaceable);
  const [first] = replaceable;
  const [initial] = useState<Values>(() => ({
    replaces: first?.id ?? '',
    status: first?.status ?? 'ON',
    at: first ? homeTime(Date.parse(first.at), day.timeZone) : '',
    place: first?.place ?? '',
    reason: '',
  }));
  const toBody = ({ replaces, status, at, place, reason }: Values) => {
    const replaced = day.records.find(({ id }) => id === replaces);
    // Keep the recorded second unless another time was chosen.
    const isSame = replaced !== undefined && homeTime(Date.parse(replaced.at), day.timeZone) === at;
    const moment = momentOnDay(day, at);
    return {
      driverId: day.driverId,
      replaces: replaces || null,
      status,
      at: isSame ? replaced.at : moment === null ? '' : new Date(moment).toISOString(),
      place: place || null,
      reason,
    };
  };
  const form = useForm({
    schema: proposedSchema,
    initial,
    toBody,
    save: body => call(proposeEdit, { body: { ...body, preview: false } }),
    onSaved: () => {
      toast(t('propose.done'));
      void refresh();
      onClose();
    },
  });
  const body = proposedSchema.safeParse(
    toBody({ ...form.values, reason: form.values.reason.trim() || t('propose.trial') }),
  );
  const key = useSettled(JSON.stringify(body.success ? body.data : null));
  const preview = useQuery({
    queryKey: ['log-change', key],
    enabled: key !== 'null',
    retry: false,
    queryFn: () => call(proposeEdit, { body: { ...JSON.parse(key), preview: true } }),
  });
  const chooseRecord = (id: string): void => {
    const record = day.records.find(one => one.id === id);
    form.set('replaces', id);
    if (!record) return;
    form.set('at', homeTime(Date.parse(record.at), day.timeZone));
    form.set('place', record.place ?? '');
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('propose.open')}
      subtitle={logDate(day.date, true)}
      closeLabel={t('forms:close')}
    >
      <FormFrame form={form} guarded>
        <SelectField
          {...form.text('replaces')}
          label={t('propose.replaces')}
          onChange={event => chooseRecord(event.currentTarget.value)}
          options={[
            { value: '', label: t('propose.additional') },
            ...replaceable.map(({ id, at, status }) => ({
              value: id,
              label: `${homeTime(Date.parse(at), day.timeZone)} ${t(`logbook:status.${status ?? 'ON'}`)}`,
            })),
          ]}
        />
        <div className={styles.pair}>
          <SelectField
            {...form.text('status')}
            label={t('propose.status')}
            options={SHOWN_STATUSES.map(status => ({
              value: status,
              label: `${status} · ${t(`logbook:status.${status}`)}`,
            }))}
          />
          <TextField {...form.text('at')} type="time" label={t('propose.time')} />
        </div>
        <TextField
          {...form.text('place')}
          label={t('columns.place')}
          optional={t('forms:optional')}
          maxLength={60}
          autoComplete="off"
        />
        <TextField
          {...form.text('reason')}
          label={t('propose.reason')}
          hint={t('annotate.hint')}
          maxLength={60}
          autoComplete="off"
        />
        {preview.data && <Effect effect={preview.data.effect} />}
        {preview.error && <Notice tone="warning">{describeError(preview.error).message}</Notice>}
        <p className={styles.note}>{t('propose.text')}</p>
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button variant="primary" type="submit" busy={form.saving}>
            {t('propose.action')}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}

/** The text once it has stopped changing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
