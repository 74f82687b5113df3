import type { GeofenceGroup } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useAccountSettings } from '../../base/account-settings.ts';
import { numberFormat } from '../../format/locale.ts';
import type { Form } from '../../forms/use-form.ts';
import { TextField } from '../../ui/TextField.tsx';
import styles from './GeofenceForm.module.css';

interface Props {
  readonly form: Pick<Form<{ readonly 'detention.freeMinutes': string; readonly 'detention.perHour': string }>, 'text'>;
  /** The geofence's group: its detention terms apply while both fields are empty. */
  readonly group?: GeofenceGroup | undefined;
  readonly hint?: string;
}

/** Free time of a stop, and the price of waiting after it. */
export function DetentionFields({ form, group, hint }: Props) {
  const { t } = useTranslation('geofence');
  const { currency } = useAccountSettings();
  const ofGroup = group?.detention;
  return (
    <section className={styles.edge} aria-label={t('detention.title')}>
      <h3>{t('detention.title')}</h3>
      <p>{[t('detention.text'), hint].filter(Boolean).join(' ')}</p>
      <div className={styles.numbers}>
        <TextField {...form.text('detention.freeMinutes')} label={t('detention.free')} inputMode="numeric" />
        <TextField
          {...form.text('detention.perHour')}
          label={t('detention.perHour', { currency })}
          inputMode="decimal"
        />
      </div>
      {ofGroup && (
        <p>
          {t('detention.asGroup', {
            group: group.name,
            free: ofGroup.freeMinutes,
            perHour: numberFormat({ style: 'currency', currency }).format(ofGroup.perHour),
          })}
        </p>
      )}
    </section>
  );
}
