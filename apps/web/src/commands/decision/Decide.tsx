import { type Command, may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { useOffer } from '../use-offers.ts';
import styles from './Decide.module.css';
import { Decision } from './Decision.tsx';

/** Below the command's progress. Lets a second person decide, and tells the requester that one must. */
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

/**
 * Whether this user may be the second person for the command: they aren't the requester and have the right to send
 * control commands.
 */
function useMayDecide({ state, createdBy }: Command): boolean {
  const me = useSession(session => session.me);
  return state === 'awaiting-second' && me !== null && createdBy?.id !== me.id && may(me, 'commands.control');
}
