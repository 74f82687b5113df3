import { createVehicle, type NewVehicle, newVehicleSchema } from '@milepost/contract';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/api.ts';
import { describeError } from '../../app/describe-error.ts';
import { liveSource } from '../../live/live.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { AddedVehicle } from './AddVehicleDialog.tsx';
import styles from './AddVehicleForm.module.css';

const FIELDS = ['imei', 'deviceName', 'plate', 'vin', 'model'] as const;
type Field = (typeof FIELDS)[number];
const REQUIRED: ReadonlySet<Field> = new Set(['imei', 'deviceName']);
const HINTS = { imei: 'imeiHint', deviceName: 'deviceNameHint' } as const;

interface Props {
  readonly imei: string;
  readonly onAdded: (vehicle: AddedVehicle) => void;
  readonly onCancel: () => void;
}

/** The contract's own schema decides, here and on the server; nothing that was typed is lost [R5.03, R8.05]. */
export function AddVehicleForm({ imei, onAdded, onCancel }: Props) {
  const { t } = useTranslation('addVehicle');
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const failure = useRef<HTMLDivElement>(null);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: NewVehicle) => call(createVehicle, { body }),
    onSuccess: vehicle => {
      void queryClient.invalidateQueries({ queryKey: ['unknown-trackers'] });
      // The list learns of it, and its topic is subscribed, before its first report.
      liveSource.vehiclesChanged();
      onAdded(vehicle);
    },
    onError: cause => showErrors(describeError(cause).fields.map(({ field, message }) => [field, message])),
  });
  const isFieldError = error !== null && describeError(error).fields.length > 0;

  // What belongs to no field is read out and reached first.
  useEffect(() => {
    if (error && !isFieldError) failure.current?.focus();
  }, [error, isFieldError]);

  function showErrors(entries: readonly (readonly [string, string])[]): void {
    setErrors(Object.fromEntries(entries));
    const first = FIELDS.find(name => entries.some(([field]) => field === name));
    const input = first && form.current?.elements.namedItem(first);
    if (input instanceof HTMLInputElement) input.focus();
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const entered = Object.fromEntries(new FormData(event.currentTarget));
    const result = newVehicleSchema.safeParse(entered);
    // The first message of a field is the one to act on.
    showErrors(result.error?.issues.map(issue => [String(issue.path[0]), issue.message] as const).toReversed() ?? []);
    if (result.success) mutate(result.data);
  }

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.intro}>{t('intro')}</p>
      {error && !isPending && !isFieldError && (
        <div ref={failure} className={styles.failure} role="alert" tabIndex={-1}>
          <IconAlertCircle size={18} stroke={1.75} aria-hidden />
          {describeError(error).message}
        </div>
      )}
      {FIELDS.map(name => (
        <TextField
          key={name}
          name={name}
          label={
            <>
              {t(`${name}`)} {!REQUIRED.has(name) && <span className={styles.quiet}>{t('optional')}</span>}
            </>
          }
          hint={name in HINTS && t(HINTS[name as keyof typeof HINTS])}
          error={errors[name]}
          defaultValue={name === 'imei' ? imei : ''}
          onChange={() => setErrors(({ [name]: _, ...others }) => others)}
          inputMode={name === 'imei' ? 'numeric' : 'text'}
          autoComplete="off"
          spellCheck={false}
          data-autofocus={name === (imei === '' ? 'imei' : 'deviceName') || undefined}
        />
      ))}
      <div className={styles.actions}>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" busy={isPending}>
          {t('submit')}
        </Button>
      </div>
    </form>
  );
}
