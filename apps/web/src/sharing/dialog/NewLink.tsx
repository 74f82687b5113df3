import { createShare, may, newShareSchema, SHARE_LONG_MAX_DAYS, SHARE_MAX_DAYS } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import { momentOf, wallClock } from '../../format/time.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextArea, TextField } from '../../ui/TextField.tsx';
import { useRefreshShares } from '../use-shares.ts';
import styles from './Dialog.module.css';
import { type Made, MadeLink } from './MadeLink.tsx';

const HOUR_MS = 3_600_000;
const HOURS = [1, 4, 8, 24, 72, 168, 720, 2160] as const;

interface Values {
  readonly begins: 'now' | 'later';
  readonly startsAt: string;
  /** Number of hours after the start, or `until` for a chosen time. */
  readonly lasts: string;
  readonly expiresAt: string;
  readonly showTrail: boolean;
  readonly showSpeed: boolean;
  readonly showGeofences: boolean;
  readonly showEta: boolean;
  readonly name: string;
  readonly note: string;
}

const FIRST: Omit<Values, 'startsAt' | 'expiresAt'> = {
  begins: 'now',
  lasts: '8',
  showTrail: true,
  showSpeed: false,
  showGeofences: false,
  showEta: true,
  name: '',
  note: '',
};

const firstValues = (): Values => ({
  ...FIRST,
  startsAt: wallClock(Date.now() + HOUR_MS),
  expiresAt: wallClock(Date.now() + 9 * HOUR_MS),
});

/** A task whose arrival the link can show. */
export interface SharedTask {
  readonly id: string;
  readonly title: string;
}

interface Props {
  readonly deviceIds: readonly string[];
  readonly task: SharedTask | undefined;
  readonly onDone: () => void;
}

/** The form for a share link: start, end and content. Then shows the link once. */
export function NewLink({ deviceIds, task, onDone }: Props) {
  const { t } = useTranslation(['sharing', 'forms']);
  const mayBeLong = useSession(({ me }) => me !== null && may(me, 'shares.long'));
  const maySeeGeofences = useSession(({ me }) => me !== null && may(me, 'geofences.read'));
  const refresh = useRefreshShares();
  const [made, setMade] = useState<Made | null>(null);
  // The suggested times are from when the form opened, so they don't change while the user reads them.
  const [initial] = useState(firstValues);
  const form = useForm({
    schema: newShareSchema,
    initial,
    toBody: ({ begins, lasts, startsAt, expiresAt, showEta, ...rest }) => {
      const startMs = begins === 'now' ? Date.now() : momentOf(startsAt);
      const endMs = lasts === 'until' ? momentOf(expiresAt) : (startMs ?? Date.now()) + Number(lasts) * HOUR_MS;
      return {
        ...rest,
        deviceIds,
        ...(task && showEta && { taskId: task.id }),
        ...(begins === 'later' && { startsAt: isoOf(startMs) }),
        expiresAt: isoOf(endMs),
      };
    },
    save: body => call(createShare, { body }),
    onSaved: answer => {
      setMade(answer);
      refresh();
    },
  });
  if (made) return <MadeLink made={made} onDone={onDone} />;

  const days = mayBeLong ? SHARE_LONG_MAX_DAYS : SHARE_MAX_DAYS;
  const { begins, lasts } = form.values;
  return (
    <FormFrame form={form} className={styles.form}>
      <div className={styles.pair}>
        <SelectField
          {...form.text('begins')}
          label={t('begins')}
          options={[
            { value: 'now', label: t('now') },
            { value: 'later', label: t('later') },
          ]}
          data-autofocus
        />
        {begins === 'later' && <TextField {...form.text('startsAt')} type="datetime-local" label={t('from')} />}
      </div>
      <div className={styles.pair}>
        <SelectField
          {...form.text('lasts')}
          label={t('lasts')}
          error={lasts === 'until' ? undefined : form.messages.expiresAt}
          options={[
            ...HOURS.filter(hours => hours <= days * 24).map(hours => ({
              value: String(hours),
              label: hours < 24 ? t('hours', { count: hours }) : t('days', { count: hours / 24 }),
            })),
            { value: 'until', label: t('untilMoment') },
          ]}
        />
        {lasts === 'until' && <TextField {...form.text('expiresAt')} type="datetime-local" label={t('until')} />}
      </div>
      <fieldset className={styles.shown}>
        <legend>{t('shown')}</legend>
        {task && <Checkbox {...form.flag('showEta')}>{t('showEta', { task: task.title })}</Checkbox>}
        <Checkbox {...form.flag('showTrail')}>{t('showTrail')}</Checkbox>
        <Checkbox {...form.flag('showSpeed')}>{t('showSpeed')}</Checkbox>
        {maySeeGeofences && <Checkbox {...form.flag('showGeofences')}>{t('showGeofences')}</Checkbox>}
      </fieldset>
      <TextField
        {...form.text('name')}
        label={t('name')}
        optional={t('forms:optional')}
        hint={t('nameHint')}
        autoComplete="off"
      />
      <TextArea {...form.text('note')} label={t('note')} optional={t('forms:optional')} rows={2} />
      <p className={styles.hint}>{t('what')}</p>
      <DialogActions>
        <Button onClick={onDone}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('make')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}

/** An invalid time becomes empty text, so the contract's schema reports it at its field. */
const isoOf = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());
