import type { User } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { type Invitation, InvitationLink } from '../InvitationLink.tsx';
import styles from './InvitedElsewhere.module.css';

interface Props {
  readonly user: User;
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

/** The address of an invited user changed, so their old invitation ended. */
export function InvitedElsewhere({ user, invitation, onClose }: Props) {
  const { t } = useTranslation(['users', 'forms']);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('actions.invite')}
      subtitle={user.displayName}
      closeLabel={t('forms:close')}
    >
      <p className={styles.why}>{t('invitedElsewhere')}</p>
      <InvitationLink user={user} invitation={invitation} />
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('forms:close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
