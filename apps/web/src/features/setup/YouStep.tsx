import { profileChangeSchema, updateMe } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import type { StoredMe } from '../../base/session/stored-me.ts';
import { toast } from '../../base/toasts/toast.ts';
import { useForm } from '../../forms/use-form.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { FormStep, type StepProps } from './StepFrame.tsx';

/** The operator's name and e-mail address. */
export function YouStep(props: StepProps) {
  const me = useSession(session => session.me);
  return me && <YouForm {...props} me={me} />;
}

function YouForm({ me, ...props }: StepProps & { readonly me: StoredMe }) {
  const { t } = useTranslation(['setup', 'profile', 'forms']);
  const email = me.email ?? '';
  const form = useForm({
    schema: profileChangeSchema,
    initial: { displayName: me.displayName, email, password: '' },
    toBody: values => ({
      displayName: values.displayName,
      ...(values.email.trim() !== email && { email: values.email, password: values.password }),
    }),
    save: body => call(updateMe, { body }),
    onSaved: ({ pendingEmail }) => {
      if (pendingEmail !== null) toast(t('profile:email.sent', { email: pendingEmail }));
      void props.onDone();
    },
    problemFields: { 'wrong-password': 'password', 'email-taken': 'email' },
  });
  return (
    <FormStep form={form} step={props} head={{ title: t('you.title'), text: t('you.text') }}>
      <TextField {...form.text('displayName')} label={t('profile:you.displayName')} autoComplete="name" />
      <TextField {...form.text('email')} label={t('profile:you.email')} type="email" autoComplete="email" />
      {form.changed.includes('email') && (
        <PasswordField
          {...form.text('password')}
          label={t('you.password')}
          showLabel={t('forms:showPassword')}
          autoComplete="current-password"
        />
      )}
    </FormStep>
  );
}
