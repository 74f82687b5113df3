import { newPasswordSchema, type User, updateMyUser } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { NewPasswordFields } from '../../../forms/NewPasswordFields.tsx';
import { withRepeat } from '../../../forms/repeat-password.ts';
import { useForm } from '../../../forms/use-form.ts';
import { useRefreshUsers } from '../../../people/my-users.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';

const schema = withRepeat(z.object({ password: newPasswordSchema }));

/** A password for a user who can't reset it; they change it at the next sign-in. */
export function SetPasswordForm({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation(['users', 'forms']);
  const refresh = useRefreshUsers();
  const form = useForm({
    schema,
    initial: { password: '', repeat: '' },
    save: ({ password }) => call(updateMyUser, { params: { id: user.id }, body: { password } }),
    onSaved: () => {
      void refresh();
      toast(t('done.set-password', { name: user.displayName }));
      onClose();
    },
  });
  return (
    <FormFrame form={form}>
      <p>{t('setPassword.text', { name: user.displayName })}</p>
      <NewPasswordFields form={form} />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('setPassword.submit')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
