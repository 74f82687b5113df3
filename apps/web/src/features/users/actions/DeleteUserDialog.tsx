import { deleteMyUser, readUserDependents, type User } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { useRefreshUsers } from '../../../people/my-users.ts';
import { RemoveDialog } from '../../../ui/RemoveDialog.tsx';

interface Props {
  readonly user: User;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deleting can't be undone: the dialog says what ends and what stays, and the user must type the user name. */
export function DeleteUserDialog({ user, onClose, onDeleted }: Props) {
  const { t } = useTranslation(['users', 'forms']);
  const refresh = useRefreshUsers();
  const { data } = useQuery({
    queryKey: ['user-dependents', user.id],
    queryFn: () => call(readUserDependents, { params: { id: user.id } }),
    staleTime: 0,
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(deleteMyUser, { params: { id: user.id } }),
    onSuccess: async () => {
      onDeleted();
      onClose();
      await refresh();
      toast(t('done.delete', { name: user.displayName }));
    },
  });
  return (
    <RemoveDialog
      open
      onClose={onClose}
      onConfirm={() => mutate()}
      title={t('delete.title', { name: user.displayName })}
      word={user.userName}
      wordLabel={t('delete.word', { word: user.userName })}
      confirmLabel={t('actions.delete')}
      cancelLabel={t('forms:cancel')}
      closeLabel={t('forms:close')}
      busy={isPending}
      error={error ? describeError(error).message : undefined}
    >
      <p>{t('delete.text')}</p>
      {data && (
        <ul>
          {data.sessions > 0 && <li>{t('delete.sessions', { count: data.sessions })}</li>}
          {data.apiTokens > 0 && <li>{t('delete.apiTokens', { count: data.apiTokens })}</li>}
          {data.drivers.map(({ id, name }) => (
            <li key={id}>{t('delete.driver', { name })}</li>
          ))}
          {data.usersMade > 0 && <li>{t('delete.usersMade', { count: data.usersMade })}</li>}
          <li>{t('delete.audit')}</li>
        </ul>
      )}
    </RemoveDialog>
  );
}
