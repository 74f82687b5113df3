import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { TestMail } from '../../notifications/TestMail.tsx';
import { Button } from '../../ui/Button.tsx';
import styles from './SetupPage.module.css';
import { StepActions, StepHead, type StepProps } from './StepFrame.tsx';

/** Sends a test e-mail to the user, before alerts depend on it. */
export function MailStep(props: StepProps) {
  const { t } = useTranslation('setup');
  const isDone = useSession(({ me }) => me?.preferences.setupDone?.includes('mail') === true);
  return (
    <div className={styles.step}>
      <StepHead title={t('mail.title')} text={t('mail.text')} />
      <div className={styles.card}>
        <TestMail onSent={() => void props.onKept()} />
      </div>
      <StepActions {...props}>
        <Button variant="primary" onClick={() => void (isDone ? props.onDone() : props.onSkip())}>
          {t('finish')}
        </Button>
      </StepActions>
    </div>
  );
}
