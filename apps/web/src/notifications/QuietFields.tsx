import { useTranslation } from 'react-i18next';
import type { Form } from '../forms/use-form.ts';
import { Switch } from '../ui/Switch.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './QuietFields.module.css';
import type { QuietValues } from './quiet-values.ts';

interface Props<V extends QuietValues> {
  readonly form: Form<V>;
  /** The time zone of the quiet hours. */
  readonly zone: string;
  /** Whether alerts are what waits. */
  readonly ofAlerts?: boolean;
}

/** Fields for when quiet hours start and end, and whether critical alerts are sent anyway. */
export function QuietFields<V extends QuietValues>({ form: given, zone, ofAlerts = true }: Props<V>) {
  const { t } = useTranslation('notifications');
  const form = given as unknown as Form<QuietValues>;
  return (
    <>
      <div className={styles.times}>
        <TextField {...form.text('quietFrom')} type="time" label={t('quiet.from')} />
        <TextField {...form.text('quietTo')} type="time" label={t('quiet.to')} hint={t('quiet.zone', { zone })} />
      </div>
      {ofAlerts && (
        <Switch {...form.flag('criticalBreaks')} hint={t('quiet.breaksHint')}>
          {t('quiet.breaks')}
        </Switch>
      )}
    </>
  );
}
