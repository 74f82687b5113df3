import { createFirstOwner, firstOwnerSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../base/api.ts';
import { queryClient } from '../../base/queries.ts';
import { replaceSession } from '../../base/session/sign-out.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { NewPasswordFields } from '../../forms/NewPasswordFields.tsx';
import { withRepeat } from '../../forms/repeat-password.ts';
import { useForm } from '../../forms/use-form.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { FrontDoor, StepHead } from './FrontDoor.tsx';
import styles from './Steps.module.css';

const schema = withRepeat(firstOwnerSchema.omit({ displayName: true }));

/** `/login#owner=…`, the link that a new server prints: creates its owner, who then goes through the setup. */
export function FirstOwner({ token }: { readonly token: string }) {
  const { t } = useTranslation('login');
  const navigate = useNavigate();
  const form = useForm({
    schema,
    initial: { userName: '', password: '', repeat: '' },
    toBody: values => ({ ...values, token }),
    save: ({ repeat: _, ...body }) => call(createFirstOwner, { body }),
    onSaved: answer => {
      // It said that an owner is needed.
      void queryClient.invalidateQueries({ queryKey: ['client-settings'] });
      replaceSession(answer.token);
      void navigate(paths.login(), { replace: true });
    },
  });
  return (
    <FrontDoor title={t('owner.title')}>
      <StepHead title={t('owner.title')} lead={t('owner.lead')} />
      <FormFrame form={form} className={styles.form}>
        <TextField
          {...form.text('userName')}
          label={t('owner.userName')}
          hint={t('owner.userNameHint')}
          className={styles.large}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <NewPasswordFields form={form} className={styles.large} />
        <Button type="submit" variant="primary" size="large" wide busy={form.saving}>
          {t('owner.submit')}
        </Button>
      </FormFrame>
    </FrontDoor>
  );
}
