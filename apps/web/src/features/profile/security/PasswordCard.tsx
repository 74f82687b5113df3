import { changePassword, isOldPassword, passwordChangeSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { renewSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { NewPasswordFields } from '../../../forms/NewPasswordFields.tsx';
import { withRepeat } from '../../../forms/repeat-password.ts';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { Card } from '../Card.tsx';
import styles from './Security.module.css';

const schema = withRepeat(passwordChangeSchema, 'newPassword');
const EMPTY = { oldPassword: '', newPassword: '', repeat: '', endOtherSessions: true };

/** Changes the password: the server first checks the old one [R7.11], then sets the new one [R7.12]. */
export function PasswordCard() {
  const { t } = useTranslation(['profile', 'forms']);
  const form = useForm({
    schema,
    initial: EMPTY,
    save: async ({ repeat: _, ...body }) => {
      await call(isOldPassword, { body: { oldPassword: body.oldPassword } });
      return call(changePassword, { body });
    },
    held: () => EMPTY,
    onSaved: ({ token }) => {
      // The session continues with a new token, and the user is loaded again.
      renewSession(token);
      toast(t('password.done'));
    },
    problemFields: { 'wrong-password': 'oldPassword' },
  });
  return (
    <Card title={t('password.title')}>
      <FormFrame form={form} className={styles.password}>
        <PasswordField
          {...form.text('oldPassword')}
          label={t('currentPassword')}
          autoComplete="current-password"
          showLabel={t('showCurrent')}
        />
        <NewPasswordFields form={form} name="newPassword" />
        <Checkbox {...form.flag('endOtherSessions')}>{t('password.endOthers')}</Checkbox>
        <DialogActions>
          <Button type="submit" variant="primary" busy={form.saving}>
            {t('password.submit')}
          </Button>
        </DialogActions>
      </FormFrame>
    </Card>
  );
}
