import type { Command } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../app/session/session.ts';
import { useOffer } from '../use-offers.ts';
import styles from './Decide.module.css';
import { Decision } from './Decision.tsx';
import { useMayDecide } from './use-may-decide.ts';

/** Below what became of a command so far: who waits for whom, and for the second person the decision itself. */
export function Decide({ command }: { readonly command: Command }) {
  const { t } = useTranslation('commands');
  const isMine = useSession(({ me }) => me !== null && command.createdBy?.id === me.id);
  const mayDecide = useMayDecide(command);
  if (mayDecide) return <Offered command={command} />;
  return isMine && command.state === 'awaiting-second' ? <p className={styles.note}>{t('second.yours')}</p> : null;
}

function Offered({ command }: { readonly command: Command }) {
  const offer = useOffer(command.deviceId, true);
  return <Decision command={command} offer={offer} />;
}
