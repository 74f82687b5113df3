import {
  RECOVERY_MINUTES,
  type RouteAnswer,
  recoveryAnswerSchema,
  type VerifyData,
  verifyCode,
} from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { StepHead } from '../FrontDoor.tsx';
import styles from '../Steps.module.css';

/** Proof that the right code was entered; valid for one new password. */
export type Proof = RouteAnswer<typeof verifyCode>['data'];

interface Props {
  readonly asked: VerifyData;
  readonly onVerified: (proof: Proof) => void;
  readonly onStartOver: () => void;
}

/** Step 2: the 6 digits from the e-mail. */
export function CodeStep({ asked, onVerified, onStartOver }: Props) {
  const { t } = useTranslation('login');
  const form = useForm({
    schema: recoveryAnswerSchema,
    initial: { code: '' },
    save: body => call(verifyCode, { params: { id: asked.id, token: asked.token }, body }),
    onSaved: ({ data }) => onVerified(data),
    problemFields: { 'recovery-code-wrong': 'code' },
  });
  return (
    <>
      <StepHead title={t('recovery.codeTitle')} lead={t('recovery.codeLead')} step={t('recovery.step', { step: 2 })} />
      <FormFrame form={form} className={styles.form}>
        <Notice role="status">{t('recovery.neutral', { minutes: RECOVERY_MINUTES })}</Notice>
        <TextField
          {...form.text('code')}
          label={t('recovery.code')}
          className={`${styles.large} ${styles.code}`}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={12}
          autoFocus
        />
        <Button type="submit" variant="primary" size="large" wide busy={form.saving}>
          {t('recovery.verify')}
        </Button>
        <Button variant="text" size="large" wide onClick={onStartOver}>
          {t('recovery.again')}
        </Button>
      </FormFrame>
    </>
  );
}
