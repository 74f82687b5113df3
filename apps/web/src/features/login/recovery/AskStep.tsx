import { forgotPassword, recoveryQuestionSchema, type VerifyData } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { StepHead } from '../FrontDoor.tsx';
import styles from '../Steps.module.css';

interface Props {
  readonly userName: string;
  readonly onAsked: (userName: string, data: VerifyData) => void;
}

/** Step 1: the user name. The answer is the same whether or not the user exists. */
export function AskStep({ userName, onAsked }: Props) {
  const { t } = useTranslation('login');
  const form = useForm({
    schema: recoveryQuestionSchema,
    initial: { userName },
    save: async body => ({ userName: body.userName, ...(await call(forgotPassword, { body })).data }),
    onSaved: answer => onAsked(answer.userName, answer.verifyData),
  });
  return (
    <>
      <StepHead title={t('recovery.title')} lead={t('recovery.askLead')} step={t('recovery.step', { step: 1 })} />
      <FormFrame form={form} className={styles.form}>
        <TextField
          {...form.text('userName')}
          label={t('userName')}
          className={styles.large}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        <Button type="submit" variant="primary" size="large" wide busy={form.saving}>
          {t('recovery.ask')}
        </Button>
      </FormFrame>
    </>
  );
}
