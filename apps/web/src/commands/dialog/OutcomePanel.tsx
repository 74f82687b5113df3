import { type Command, type CommandAction, commandKind } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/Notice.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { Decide } from '../decision/Decide.tsx';
import { Outcome } from '../outcome/Outcome.tsx';
import { Timeline } from '../outcome/Timeline.tsx';
import { plannedTimeline } from '../outcome/timeline.ts';
import type { CommandVehicle } from '../vehicle.ts';
import styles from './OutcomePanel.module.css';
import { ResultTable } from './ResultTable.tsx';
import type { Result } from './use-run.ts';

/** Up to this many vehicles are shown as plates in a row, more as a table. */
const PLATES = 8;

interface Props {
  readonly vehicles: readonly CommandVehicle[];
  readonly results: ReadonlyMap<string, Result>;
  readonly focused: CommandVehicle;
  readonly onFocus: (id: string) => void;
  readonly followed: Command | undefined;
  /** The command to be sent. Its steps are shown in advance. */
  readonly planned: CommandAction | undefined;
  readonly bySecond: boolean;
}

/** The outcome for each vehicle. */
export function OutcomePanel({ vehicles, results, focused, onFocus, followed, planned, bySecond }: Props) {
  const { t } = useTranslation('commands');
  const result = results.get(focused.id);
  const effect = planned ? commandKind(planned).effect : null;
  return (
    <>
      <h3>{t('outcome')}</h3>
      {vehicles.length > 1 && vehicles.length <= PLATES && (
        <div className={styles.plates}>
          {vehicles.map(({ id, deviceName }) => (
            <button key={id} type="button" aria-pressed={id === focused.id} onClick={() => onFocus(id)}>
              <Plate>{deviceName}</Plate>
            </button>
          ))}
        </div>
      )}
      {vehicles.length > PLATES && (
        <ResultTable vehicles={vehicles} results={results} focused={focused.id} onFocus={onFocus} />
      )}
      {followed && <h4>{t(`action.${followed.action}`)}</h4>}
      {result && 'error' in result ? (
        <Notice tone="critical">
          <b>{t('notSent')}</b> {result.error}
        </Notice>
      ) : followed ? (
        <>
          <Outcome command={followed} />
          <Decide command={followed} />
        </>
      ) : (
        <>
          <p className={styles.nothing}>{t('nothingYet')}</p>
          {planned && <Timeline moments={plannedTimeline(effect !== null, bySecond)} effect={effect} />}
        </>
      )}
    </>
  );
}
