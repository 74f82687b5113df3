import { COMMAND_LIFETIME_S, type CommandMode, type Interlock } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../format/duration.ts';
import styles from './Modes.module.css';

interface Props {
  readonly modes: readonly CommandMode[];
  /** The modes that the tracker supports. Others are shown with the reason why they can't be chosen. */
  readonly possible: readonly string[];
  readonly interlock: Interlock | undefined;
  readonly several: boolean;
  /** The number of people who could be the second person in this mode; null if the mode needs none. */
  readonly secondFor: (mode: CommandMode) => number | null;
  readonly chosen: CommandMode;
  readonly onChoose: (mode: CommandMode) => void;
}

/**
 * When to send the command. The safe mode is selected at first. Modes that can't be chosen are shown with the reason.
 */
export function Modes({ modes, possible, interlock, several, secondFor, chosen, onChoose }: Props) {
  const { t } = useTranslation('commands');
  const failed = interlock?.checks.find(({ holds }) => !holds);

  function impossible(mode: CommandMode): string | null {
    if (!possible.includes(mode)) return t('impossible.tracker');
    if (!several && secondFor(mode) === 0) return t('second.nobody');
    // With several vehicles, each is checked separately when the command is sent.
    if (mode !== 'immediate' || several || !failed) return null;
    if (failed.check === 'standing' && failed.measured !== null) return t('impossible.moving');
    return t('impossible.unknown', { check: t(`impossible.checks.${failed.check}`) });
  }

  return (
    <fieldset className={styles.modes}>
      <legend>{t('when')}</legend>
      {modes.map(mode => {
        const reason = impossible(mode);
        const text = mode === 'immediate' && several ? 'immediateEach' : mode;
        return (
          <label key={mode} className={styles.mode} data-off={reason !== null || undefined}>
            <input
              type="radio"
              name="mode"
              value={mode}
              checked={mode === chosen}
              disabled={reason !== null}
              onChange={() => onChoose(mode)}
            />
            <span>
              <b>{t(`mode.${mode}`)}</b>
              <small>
                {reason ?? t(`modeText.${text}`, { duration: formatDuration(COMMAND_LIFETIME_S.control * 1000) })}
                {secondFor(mode) !== null && secondFor(mode) !== 0 && ` ${t('second.needs')}`}
              </small>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
