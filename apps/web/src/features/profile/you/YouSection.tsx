import { profileChangeSchema, updateMe } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import type { StoredMe } from '../../../base/session/stored-me.ts';
import { refreshMe } from '../../../base/session/use-me.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Card.module.css';
import { Card } from '../Card.tsx';
import { EmailState } from './EmailState.tsx';
import { PictureCard } from './PictureCard.tsx';
import { profileChange, profileValues } from './profile-values.ts';

/** 1 means male; any other value means not male [R3.01]. */
const GENDERS = ['1', '2', '0'] as const;

/** Picture, names and addresses. */
export function YouSection() {
  const me = useSession(session => session.me);
  if (!me) return null;
  return (
    <>
      <PictureCard name={me.displayName} image={me.image} />
      <PersonCard key={me.id} me={me} />
    </>
  );
}

function PersonCard({ me }: { readonly me: StoredMe }) {
  const { t } = useTranslation(['profile', 'forms']);
  const form = useForm({
    schema: profileChangeSchema,
    initial: profileValues(me),
    toBody: values => profileChange(me, values),
    save: body => call(updateMe, { body }),
    // An unconfirmed address is not the user's address yet.
    held: ({ pendingEmail }, sent) => ({
      ...sent,
      email: pendingEmail === null ? sent.email : (me.email ?? ''),
      password: '',
    }),
    onSaved: ({ pendingEmail }) => {
      void refreshMe();
      toast(pendingEmail === null ? t('forms:saved') : t('email.sent', { email: pendingEmail }));
    },
    problemFields: { 'wrong-password': 'password', 'email-taken': 'email' },
  });
  const asksPassword = form.changed.includes('email') || form.changed.includes('phone');
  return (
    <Card title={t('you.person')}>
      <FormFrame form={form} guarded>
        <div className={styles.fields}>
          <TextField {...form.text('displayName')} label={t('you.displayName')} autoComplete="name" />
          <TextField
            label={t('you.userName')}
            hint={t('you.userNameHint')}
            value={me.userName}
            autoComplete="username"
            readOnly
          />
          <SelectField
            {...form.text('gender')}
            label={t('you.gender')}
            optional={t('forms:optional')}
            options={GENDERS.map(value => ({ value, label: t(`you.genders.${value}`) }))}
          />
          <TextField
            {...form.text('email')}
            label={t('you.email')}
            optional={t('forms:optional')}
            hint={t('you.emailHint')}
            type="email"
            autoComplete="email"
          />
          <TextField
            {...form.text('phone')}
            label={t('you.phone')}
            optional={t('forms:optional')}
            type="tel"
            autoComplete="tel"
          />
          {asksPassword && (
            <PasswordField
              {...form.text('password')}
              label={t('currentPassword')}
              hint={t('you.passwordHint')}
              autoComplete="current-password"
              showLabel={t('forms:showPassword')}
            />
          )}
        </div>
        <EmailState />
        <SaveBar form={form} />
      </FormFrame>
    </Card>
  );
}
