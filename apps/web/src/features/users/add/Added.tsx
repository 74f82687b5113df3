import type { RouteAnswer, registerUser } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/Notice.tsx';
import { InvitationLink } from '../InvitationLink.tsx';

/** What is left to do once somebody was added: pass the link on, or tell them their password. */
export function Added({ added }: { readonly added: RouteAnswer<typeof registerUser> }) {
  const { t } = useTranslation('users');
  const { data, invitation } = added;
  if (invitation) return <InvitationLink user={data} invitation={invitation} />;
  return <Notice tone="ok">{t('add.tellPassword', { name: data.displayName, userName: data.userName })}</Notice>;
}
