import { coachingSchema, createCoaching } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { isoDateOf } from '../../../format/date.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextArea, TextField } from '../../../ui/TextField.tsx';
import { useRefresh } from '../use-refresh.ts';
import styles from './Inspector.module.css';

const newNoteSchema = coachingSchema.pick({ text: true, dueOn: true });
const WEEK_MS = 7 * 86_400_000;

/** A new agreement with the driver, due in a week unless another day is chosen. */
export function AddCoaching({ driverId, onDone }: { readonly driverId: string; readonly onDone: () => void }) {
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
