import { type Command, commandKind } from '@milepost/contract';
import { IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../format/time.ts';
import { isOpen } from '../command-state.ts';
import styles from './Outcome.module.css';
import { Timeline } from './Timeline.tsx';
import { timelineOf } from './timeline.ts';

/** The text about a command's expiry, depending on what the command waits for. Other states have none. */
const EXPIRES: Readonly<Record<string, 'expires' | 'expiresSecond' | 'expiresTracker'>> = {
  'awaiting-second': 'expiresSecond',
  'safe-stop': 'expires',
  tracker: 'expiresTracker',
  queued: 'expiresTracker',
};

/** The progress of one command, and when it expires. */
export function Outcome({ command }: { readonly command: Command }) {
  const { t } = useTranslation('commands');
  const expiry = EXPIRES[command.waitingFor ?? command.state];
  const time = formatClock(Date.parse(command.expiresAt));
  return (
    <>
      <Timeline moments={timelineOf(command)} effect={commandKind(command.action).effect} answer={command.answer} />
      {expiry && isOpen(command) && (
        <p className={styles.expiry}>
          <IconClock size={16} stroke={1.75} aria-hidden />
          <span>{t(expiry, { time })}</span>
        </p>
      )}
    </>
  );
}
