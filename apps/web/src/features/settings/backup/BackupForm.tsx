import { BACKUP_KINDS, type Backup, backupSettingsSchema, updateBackup } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './Backup.module.css';

interface Props {
  /** Null: set one up. */
  readonly settings: Backup['settings'];
  readonly onClose: () => void;
  readonly onSaved: (answer: { readonly backup: Backup; readonly key: string | null }) => void;
}

const HOURS = [1, 6, 12, 24, 168] as const;
const KEPT_DAYS = [3, 7, 14, 30, 60, 90, 365] as const;
const TRIAL_DAYS = [0, 1, 7, 30] as const;

const valuesOf = (settings: Backup['settings']) => ({
  kind: (settings?.kind ?? 'folder') as string,
  folder: settings?.folder ?? '',
  endpoint: settings?.endpoint ?? '',
  region: settings?.region || 'us-east-1',
  bucket: settings?.bucket ?? '',
  prefix: settings?.prefix ?? '',
  accessKey: settings?.accessKey ?? '',
  secretKey: '',
  everyHours: String(settings?.everyHours ?? 24),
  keepDays: String(settings?.keepDays ?? 14),
  verifyDays: String(settings?.verifyDays ?? 7),
  withMaps: settings?.withMaps ?? false,
});

/** Where the backup is kept, how often it is made, and for how long. */
export function BackupForm({ settings, onClose, onSaved }: Props) {
  const { t } = useTranslation(['settings', 'forms']);
  const form = useForm({
    schema: backupSettingsSchema,
    initial: valuesOf(settings),
    toBody: ({ everyHours, keepDays, verifyDays, ...rest }) => ({
      ...rest,
      everyHours: Number(everyHours),
      keepDays: Number(keepDays),
      verifyDays: Number(verifyDays),
    }),
    save: body => call(updateBackup, { body }),
    onSaved,
  });
  /** The value in use is offered even if it was set elsewhere. */
  const options = (offered: readonly number[], inUse: string, label: (count: number) => string) =>
    [...new Set([...offered, Number(inUse)])]
      .sort((a, b) => a - b)
      .map(count => ({ value: String(count), label: label(count) }));
  const hours = (count: number): string =>
    count === 24
      ? t('system.backup.form.day')
      : count === 168
        ? t('system.backup.form.week')
        : t('system.backup.form.hours', { count });
  return (
    <FormFrame form={form} className={styles.form}>
      <SelectField
        {...form.text('kind')}
        label={t('system.backup.form.kind')}
        options={BACKUP_KINDS.map(value => ({ value, label: t(`system.backup.form.${value}`) }))}
      />
      {form.values.kind === 'folder' ? (
        <TextField
          {...form.text('folder')}
          label={t('system.backup.form.path')}
          hint={t('system.backup.form.pathHint')}
          data-autofocus
        />
      ) : (
        <>
          <TextField
            {...form.text('endpoint')}
            type="url"
            label={t('system.backup.form.endpoint')}
            hint={t('system.backup.form.endpointHint')}
          />
          <div className={styles.pair}>
            <TextField {...form.text('region')} label={t('system.backup.form.region')} />
            <TextField {...form.text('bucket')} label={t('system.backup.form.bucket')} />
          </div>
          <TextField
            {...form.text('prefix')}
            label={t('system.backup.form.prefix')}
            optional={t('system.backup.form.optional')}
          />
          <TextField {...form.text('accessKey')} autoComplete="off" label={t('system.backup.form.accessKey')} />
          <TextField
            {...form.text('secretKey')}
            type="password"
            autoComplete="off"
            label={t('system.backup.form.secretKey')}
            {...(settings?.kind === 's3' && { hint: t('system.backup.form.secretKept') })}
          />
        </>
      )}
      <SelectField
        {...form.text('everyHours')}
        label={t('system.backup.form.every')}
        hint={t('system.backup.form.everyHint')}
        options={options(HOURS, form.values.everyHours, hours)}
      />
      <div className={styles.pair}>
        <SelectField
          {...form.text('keepDays')}
          label={t('system.backup.form.keep')}
          options={options(KEPT_DAYS, form.values.keepDays, count => t('system.backup.form.days', { count }))}
        />
        <SelectField
          {...form.text('verifyDays')}
          label={t('system.backup.form.verify')}
          options={options(TRIAL_DAYS, form.values.verifyDays, count =>
            count === 0 ? t('system.backup.form.never') : t('system.backup.form.everyDays', { count }),
          )}
        />
      </div>
      <Switch {...form.flag('withMaps')} hint={t('system.backup.form.mapsHint')}>
        {t('system.backup.form.maps')}
      </Switch>
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('system.backup.form.save')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
