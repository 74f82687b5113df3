import type { SettingName } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../../ui/TextField.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from '../SettingsForm.module.css';
import { SettingsForm } from '../SettingsForm.tsx';

const NAMES = [
  'outdatedAfterMinutes',
  'offlineAfterMinutes',
  'warnBeforeExpiryDays',
] as const satisfies readonly SettingName[];

/** After how long a vehicle counts as outdated or offline, and how early to warn before documents expire. */
export function TrackingSection() {
  const { t } = useTranslation('settings');
  return (
    <SettingsForm title={t('sections.tracking')} names={NAMES}>
      {(form, hint) => (
        <>
          <Card title={t('tracking.silence')} text={t('tracking.silenceText')}>
            <div className={styles.grid}>
              <TextField
                {...form.text('outdatedAfterMinutes')}
                type="number"
                inputMode="numeric"
                label={t('tracking.outdatedAfterMinutes')}
                hint={hint('outdatedAfterMinutes', t('tracking.outdatedHint'))}
              />
              <TextField
                {...form.text('offlineAfterMinutes')}
                type="number"
                inputMode="numeric"
                label={t('tracking.offlineAfterMinutes')}
                hint={hint('offlineAfterMinutes', t('tracking.offlineHint'))}
              />
            </div>
          </Card>
          <Card title={t('tracking.documents')}>
            <div className={styles.grid}>
              <TextField
                {...form.text('warnBeforeExpiryDays')}
                type="number"
                inputMode="numeric"
                label={t('tracking.warnBeforeExpiryDays')}
                hint={hint('warnBeforeExpiryDays', t('tracking.warnHint'))}
              />
            </div>
          </Card>
        </>
      )}
    </SettingsForm>
  );
}
