import type { invitationSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { formatDay } from '../../format/time.ts';
import { CopyLine } from '../../forms/CopyLine.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './InvitationLink.module.css';

export type Invitation = z.infer<typeof invitationSchema>;

interface Props {
  readonly user: { readonly displayName: string; readonly email: string | null };
  readonly invitation: Invitation;
}

/** An invitation link, shown only once, and whether it was sent by e-mail. */
export function InvitationLink({ user, invitation }: Props) {
  const { t } = useTranslation('users');
  return (
    <div className={styles.link}>
      <Notice tone={invitation.sent ? 'ok' : 'info'}>
        {invitation.sent
          ? t('invitation.sent', { email: user.email ?? '' })
          : t('invitation.pass', { name: user.displayName })}
      </Notice>
      <CopyLine text={invitation.url} label={t('invitation.copy')} copied={t('invitation.copied')} />
      <p>{t('invitation.until', { day: formatDay(Date.parse(invitation.expiresAt)) })}</p>
    </div>
  );
}
