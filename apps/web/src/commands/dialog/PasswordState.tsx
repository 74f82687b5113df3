import { may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../base/session/session.ts';
import { formatTime } from '../../format/time.ts';
import { useNow } from '../../live/view.ts';
import { paths } from '../../paths.ts';
import { Notice } from '../../ui/Notice.tsx';
import type { Offer } from '../offers.ts';

/**
 * Says before the user types that there is no control password or that controls are locked, and in the demo what the
 * password is.
 */
export function PasswordState({ offer }: { readonly offer: Offer | undefined }) {
  const { t } = useTranslation('commands');
  const nowMs = useNow();
  const maySet = useSession(({ me }) => me !== null && may(me, 'commands.password'));
  if (!offer) return null;
  const lockedUntil = offer.controlsLockedUntil === null ? 0 : Date.parse(offer.controlsLockedUntil);
  if (lockedUntil > nowMs) return <Notice tone="warning">{t('locked', { time: formatTime(lockedUntil) })}</Notice>;
  if (offer.demoPassword !== null) return <Notice>{t('demoPassword', { password: offer.demoPassword })}</Notice>;
  if (offer.controlPasswordSet) return null;
  return (
    <Notice tone="warning">
      {t('noPassword')} {maySet ? <Link to={paths.settings('commands')}>{t('setPassword')}</Link> : t('askPassword')}
    </Notice>
  );
}
