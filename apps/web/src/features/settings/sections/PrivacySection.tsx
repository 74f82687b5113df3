import type { SettingName } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/Notice.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from '../SettingsForm.module.css';
import { SettingsForm } from '../SettingsForm.tsx';
import { HiddenPositions } from './HiddenPositions.tsx';
import { LedgerOverview } from './LedgerOverview.tsx';
import { PrivateHours } from './PrivateHours.tsx';

const NAMES = [
  'keepPositionsDays',
  'keepLooksDays',
  'privateDrive',
  'privatePersonalUse',
] as const satisfies readonly SettingName[];
/** Suggested number of days when an account limits how long positions are kept. */
const A_YEAR = '365';

/** How long positions and the privacy ledger are kept. Older positions are deleted for good; a dialog says so before saving. */
export function PrivacySection() {
  const { t } = useTranslation('settings');
  const [last, setLast] = useState(A_YEAR);
  return (
    <SettingsForm title={t('sections.privacy')} names={NAMES}>
      {(form, hint, { settings }) => {
        const { keepPositionsDays: days } = form.values;
        const before = settings.keepPositionsDays ?? Number.POSITIVE_INFINITY;
        return (
          <>
            <Card title={t('privacy.positions')} text={t('privacy.positionsText')}>
              <Switch
                checked={days !== ''}
                value={days === '' ? t('privacy.keepAll') : t('privacy.deleteOld')}
                onChange={event => {
                  if (!event.currentTarget.checked) setLast(days);
                  form.set('keepPositionsDays', event.currentTarget.checked ? last || A_YEAR : '');
                }}
              >
                {t('privacy.limit')}
              </Switch>
              {days !== '' && (
                <div className={styles.grid}>
                  <TextField
                    {...form.text('keepPositionsDays')}
                    type="number"
                    inputMode="numeric"
                    label={t('privacy.keepPositionsDays')}
                    hint={hint('keepPositionsDays')}
                  />
                </div>
              )}
              {days !== '' && Number(days) < before && (
                <Notice tone="warning">{t('privacy.deletes', { count: Number(days) })}</Notice>
              )}
            </Card>
            <Card title={t('privacy.ledger')} text={t('privacy.ledgerText')}>
              <div className={styles.grid}>
                <TextField
                  {...form.text('keepLooksDays')}
                  type="number"
                  inputMode="numeric"
                  label={t('privacy.keepLooksDays')}
                  hint={hint('keepLooksDays')}
                />
              </div>
            </Card>
            <Card title={t('privacy.privateTime.time')} text={t('privacy.privateTime.timeText')}>
              {(['privateDrive', 'privatePersonalUse'] as const).map(name => {
                const part = name === 'privateDrive' ? 'drive' : 'personalUse';
                const isOn = form.values[name] === 'true';
                return (
                  <Switch
                    key={name}
                    checked={isOn}
                    value={t(`privacy.privateTime.${isOn ? 'on' : 'off'}`)}
                    hint={t(`privacy.privateTime.${part}Hint`)}
                    onChange={event => form.set(name, String(event.currentTarget.checked))}
                  >
                    {t(`privacy.privateTime.${part}`)}
                  </Switch>
                );
              })}
            </Card>
            <PrivateHours />
            <HiddenPositions />
            <LedgerOverview />
          </>
        );
      }}
    </SettingsForm>
  );
}
