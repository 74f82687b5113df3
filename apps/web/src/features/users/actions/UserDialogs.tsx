import type { User } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import type { Invitation } from '../InvitationLink.tsx';
import { AskDialog, type Asked } from './AskDialog.tsx';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { InviteAgain } from './InviteAgain.tsx';
import { InvitedElsewhere } from './InvitedElsewhere.tsx';

const SetPasswordForm = lazyPart(async () => (await import('./SetPasswordForm.tsx')).SetPasswordForm);

/** One action on one user. */
export type UserAction =
  | { readonly kind: Asked | 'delete' | 'set-password' | 'invite'; readonly user: User }
  /** The server has already done this, because a new address was saved. */
  | { readonly kind: 'invited'; readonly user: User; readonly invitation: Invitation };

interface Props {
  readonly action: UserAction | null;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** The dialog of an action chosen in a row's menu or in the drawer. */
export function UserDialogs({ action, onClose, onDeleted }: Props) {
  const { t } = useTranslation(['users', 'forms']);
  if (!action) return null;
  const { kind, user } = action;
  if (kind === 'invited') return <InvitedElsewhere user={user} invitation={action.invitation} onClose={onClose} />;
  if (kind === 'delete') return <DeleteUserDialog user={user} onClose={onClose} onDeleted={onDeleted} />;
  if (kind !== 'set-password' && kind !== 'invite') return <AskDialog kind={kind} user={user} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`actions.${kind}`)}
      subtitle={user.displayName}
      closeLabel={t('forms:close')}
    >
      {kind === 'invite' ? (
        <InviteAgain user={user} onClose={onClose} />
      ) : (
        <SetPasswordForm user={user} onClose={onClose} />
      )}
    </Dialog>
  );
}
