import { CALENDAR_PARTS, type CalendarPart, createCalendar, newCalendarSchema } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './NewToken.module.css';
import { type NewSecretProps, ShownOnce } from './SecretsCard.tsx';

/** Creates a calendar: a name, and what is in it. Its address is then shown once. */
export function NewCalendar({ onMade, onClose }: NewSecretProps) {
  const { t } = useTranslation(['profile', 'forms']);
  const [address, setAddress] = useState<string | null>(null);
  const form = useForm({
    schema: newCalendarSchema,
    initial: { name: '', include: [...CALENDAR_PARTS] as readonly CalendarPart[] },
    toBody: values => ({ ...values, include: [...values.include] }),
    save: body => call(createCalendar, { body }),
    onSaved: made => {
      setAddress(window.location.origin + made.path);
      void onMade();
    },
  });
  if (address !== null) return <ShownOnce kind="calendars" secret={address} onClose={onClose} />;
  const { include } = form.values;
  const error = form.messages.include;
  return (
    <FormFrame form={form}>
      <TextField {...form.text('name')} label={t('tokens.name')} hint={t('calendars.nameHint')} data-autofocus />
      <fieldset className={styles.parts} aria-describedby={error ? 'include-error' : undefined}>
        <legend>{t('calendars.include')}</legend>
        {CALENDAR_PARTS.map(part => (
          <Checkbox
            key={part}
            data-field="include"
            checked={include.includes(part)}
            onChange={() =>
              form.set('include', include.includes(part) ? include.filter(one => one !== part) : [...include, part])
            }
          >
            {t(`calendars.parts.${part}`)}
          </Checkbox>
        ))}
        {error && (
          <p id="include-error" className={styles.error}>
            {error}
          </p>
        )}
      </fieldset>
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('calendars.make')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
