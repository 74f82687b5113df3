import { resetSecondFactorOfMyUser, signOutMyUser, type User, updateMyUser } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { useRefreshUsers } from '../../../people/my-users.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';

/** An action on another user that must be confirmed first. */
export type Asked = 'sign-out' | 'reset-factor' | 'deactivate' | 'activate';

const RUN: Readonly<Record<Asked, (id: string) => Promise<unknown>>> = {
  'sign-out': id => call(signOutMyUser, { params: { id } }),
  'reset-factor': id => call(resetSecondFactorOfMyUser, { params: { id } }),
  deactivate: id => call(updateMyUser, { params: { id }, body: { active: false } }),
  activate: id => call(updateMyUser, { params: { id }, body: { active: true } }),
};

interface Props {
  readonly kind: Asked;
  readonly user: User;
  readonly onClose: () => void;
}

/** Actions that can be undone need one confirmation, which says what they do. */
export function AskDialog({ kind, user, onClose }: Props) {
  const { t } = useTranslation(['users', 'forms']);
  const refresh = useRefreshUsers();
  const name = user.displayName;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => RUN[kind](user.id),
    onSuccess: async () => {
      await refresh();
      toast(t(`done.${kind}`, { name }));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t(`ask.${kind}.title`, { name })} closeLabel={t('forms:close')}>
      <p>{t(`ask.${kind}.text`, { name })}</p>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button variant="primary" busy={isPending} onClick={() => mutate()} data-autofocus>
          {t(`actions.${kind}`)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
