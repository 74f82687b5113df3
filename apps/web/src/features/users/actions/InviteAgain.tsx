import { inviteMyUser, type User } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useRefreshUsers } from '../../../people/my-users.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { InvitationLink } from '../InvitationLink.tsx';

/** A new invitation link for a user who hasn't used theirs; the old link ends. */
export function InviteAgain({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation(['users', 'forms']);
  const refresh = useRefreshUsers();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () => call(inviteMyUser, { params: { id: user.id } }),
    onSuccess: refresh,
  });
  return (
    <>
      {data ? <InvitationLink user={user} invitation={data} /> : <p>{t('inviteAgain')}</p>}
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('forms:close')}</Button>
        {!data && (
          <Button variant="primary" busy={isPending} onClick={() => mutate()} data-autofocus>
            {t('actions.invite')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
