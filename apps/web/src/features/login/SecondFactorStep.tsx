import { type Credentials, credentialsSchema, signIn } from '@milepost/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { beginSession } from '../../base/session/session.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { StepHead } from './FrontDoor.tsx';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import styles from './Steps.module.css';

interface Props {
  /** The name and password, already checked; kept in memory only for this step. */
  readonly credentials: Credentials;
  readonly onBack: () => void;
}

/** The second step of signing in: a code from the authenticator app, a recovery code, or a passkey. */
export function SecondFactorStep({ credentials, onBack }: Props) {
  const { t } = useTranslation('login');
  const schema = useRef(
    credentialsSchema.required({ code: true }).refine(({ code }) => code !== '', {
      path: ['code'],
      message: t('secondFactor.missing'),
    }),
  );
  const form = useForm({
    schema: schema.current,
    initial: { code: '' },
    toBody: ({ code }) => ({ ...credentials, code }),
    save: body => call(signIn, { body }),
    onSaved: ({ token }) => beginSession(token),
    problemFields: { 'wrong-code': 'code' },
  });
  return (
    <>
      <StepHead title={t('secondFactor.title')} lead={t('secondFactor.lead')} />
      <FormFrame form={form} className={styles.form}>
        <TextField
          {...form.text('code')}
          label={t('secondFactor.code')}
          hint={t('secondFactor.hint')}
          className={styles.large}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={32}
          autoFocus
        />
        <Button type="submit" variant="primary" size="large" wide busy={form.saving}>
          {t('submit')}
        </Button>
        <Button variant="text" size="large" wide onClick={onBack}>
          {t('secondFactor.back')}
        </Button>
      </FormFrame>
      <PasskeySignIn keepSignedIn={() => credentials.keepSignedIn ?? false} />
    </>
  );
}
