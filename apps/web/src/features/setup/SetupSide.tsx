import { SETUP_STEPS, type SetupStep } from '@milepost/contract';
import { IconCheck, IconHourglass, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAccountSettings } from '../../base/account-settings.ts';
import { useAppName } from '../../base/client-settings.ts';
import type { StoredMe } from '../../base/session/stored-me.ts';
import { useMapChoice } from '../../map-choice/use-map-choice.ts';
import { Mark } from '../../ui/Mark.tsx';
import styles from './SetupSide.module.css';
import { useFirstVehicle } from './use-first-vehicle.ts';

interface Props {
  readonly me: StoredMe;
  readonly step: SetupStep;
  readonly onStep: (step: SetupStep) => void;
  readonly onLeave: () => void;
}

/** All steps with their answers. Users can go back to each. */
export function SetupSide({ me, step, onStep, onLeave }: Props) {
  const { t } = useTranslation(['setup', 'settings']);
  const appName = useAppName();
  const settings = useAccountSettings();
  const choice = useMapChoice().data?.choice.kind;
  const vehicle = useFirstVehicle();
  const { setupDone, setupSkipped } = me.preferences;
  const { distanceUnit, volumeUnit, temperatureUnit } = settings;
  const units = [distanceUnit, volumeUnit, `°${temperatureUnit.toUpperCase()}`];
  const mapTitle = choice === 'style' || choice === 'tiles' ? 'address' : choice;
  const answers: Readonly<Record<SetupStep, readonly string[]>> = {
    company: [me.account.name, `${settings.timeZone.replaceAll('_', ' ')} · ${units.join(', ')}`],
    you: [t('you.role', { name: me.displayName }), me.email ?? t('you.noEmail')],
    map: [setupDone?.includes('map') && mapTitle ? t(`settings:maps.${mapTitle}.title`) : t('map.title')],
    vehicle: [vehicle?.vehicle.deviceName ?? t('vehicle.none')],
    mail: [setupDone?.includes('mail') && me.email !== null ? t('mail.sent', { email: me.email }) : t('mail.to')],
  };
  return (
    <aside className={styles.side}>
      <div className={styles.brand}>
        <Mark height={28} />
        <b>{appName}</b>
      </div>
      <h2>{t('lead')}</h2>
      <p>{t('about')}</p>
      <nav aria-label={t('steps')}>
        <ol>
          {SETUP_STEPS.map((one, index) => {
            const state = setupDone?.includes(one) ? 'done' : setupSkipped?.includes(one) ? 'skipped' : 'open';
            return (
              <li key={one} data-state={state} data-current={one === step || undefined}>
                <span className={styles.number} aria-hidden>
                  {one === step || state === 'open' ? (
                    index + 1
                  ) : state === 'done' ? (
                    <IconCheck size={17} stroke={2} />
                  ) : (
                    <IconMinus size={17} stroke={2} />
                  )}
                </span>
                <div>
                  <button type="button" aria-current={one === step ? 'step' : undefined} onClick={() => onStep(one)}>
                    {t(`${one}.name`)}
                  </button>
                  <div className={styles.answer}>
                    {answers[one].map(line => (
                      <span key={line}>{line}</span>
                    ))}
                    {state === 'skipped' && <span>{t('skipped')}</span>}
                  </div>
                  {one === 'vehicle' && vehicle && (
                    <span className={styles.waiting} data-heard={vehicle.heardMs != null || undefined} role="status">
                      {vehicle.heardMs == null ? (
                        <IconHourglass size={14} stroke={1.75} aria-hidden />
                      ) : (
                        <IconCheck size={14} stroke={1.75} aria-hidden />
                      )}
                      {t(vehicle.heardMs == null ? 'vehicle.waiting' : 'vehicle.heard')}
                    </span>
                  )}
                </div>
              </li>
            );
          })}
        </ol>
      </nav>
      <p className={styles.foot}>{t('saved')}</p>
      <button type="button" className={styles.leave} onClick={onLeave}>
        {t('toMap')}
      </button>
    </aside>
  );
}
