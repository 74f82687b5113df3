import { passwordResetSchema, resetPassword } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { NewPasswordFields } from '../../../forms/NewPasswordFields.tsx';
import { withRepeat } from '../../../forms/repeat-password.ts';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { StepHead } from '../FrontDoor.tsx';
import styles from '../Steps.module.css';
import type { Proof } from './CodeStep.tsx';

interface Props {
  readonly proof: Proof;
  readonly onDone: () => void;
  readonly onStartOver: () => void;
}

const schema = withRepeat(passwordResetSchema);

/** Step 3: the new password. Setting it ends every session and doesn't sign in; the user then signs in with it. */
export function PasswordStep({ proof, onDone, onStartOver }: Props) {
  const { t } = useTranslation('login');
  const form = useForm({
    schema,
    initial: { password: '', repeat: '' },
    toBody: values => ({ ...values, proof: proof.proof }),
    save: ({ repeat: _, ...body }) => call(resetPassword, { params: { id: proof.id }, body }),
    onSaved: onDone,
  });
  return (
    <>
      <StepHead
        title={t('recovery.passwordTitle')}
        lead={t('recovery.passwordLead')}
        step={t('recovery.step', { step: 3 })}
      />
      <FormFrame form={form} className={styles.form}>
        <NewPasswordFields form={form} className={styles.large} autoFocus />
        <Button type="submit" variant="primary" size="large" wide busy={form.saving}>
          {t('recovery.save')}
        </Button>
        {form.failure !== null && (
          <Button size="large" wide onClick={onStartOver}>
            {t('recovery.again')}
          </Button>
        )}
      </FormFrame>
    </>
  );
}
