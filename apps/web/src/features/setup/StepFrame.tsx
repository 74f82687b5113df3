import { SETUP_STEPS, type SetupStep } from '@milepost/contract';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormFrame } from '../../forms/FormFrame.tsx';
import type { Form } from '../../forms/use-form.ts';
import { ReadState } from '../../registry/ReadState.tsx';
import { Button } from '../../ui/Button.tsx';
import styles from './SetupPage.module.css';

export interface StepProps {
  readonly step: SetupStep;
  readonly onBack: (() => void) | null;
  /** Saved: go on to the next step. */
  readonly onDone: () => Promise<void>;
  /** Saved, but stay on this step. */
  readonly onKept: () => Promise<void>;
  readonly onSkip: () => Promise<void>;
}

interface HeadProps {
  readonly title: string;
  readonly text?: string;
}

export const StepHead = ({ title, text }: HeadProps) => (
  <header className={styles.head}>
    <h1>{title}</h1>
    {text && <p>{text}</p>}
  </header>
);

interface ActionsProps extends StepProps {
  /** The button to continue. */
  readonly children?: ReactNode;
}

/** The bar below a step: back, progress, skip and next. */
export function StepActions({ step, onBack, onSkip, children }: ActionsProps) {
  const { t } = useTranslation('setup');
  return (
    <footer className={styles.actions}>
      {onBack && (
        <Button icon={<IconChevronLeft size={16} stroke={1.75} aria-hidden />} onClick={onBack}>
          {t('back')}
        </Button>
      )}
      <span className={styles.progress}>
        {t('progress', { step: SETUP_STEPS.indexOf(step) + 1, of: SETUP_STEPS.length })}
      </span>
      <Button variant="text" onClick={() => void onSkip()}>
        {t('skip')}
      </Button>
      {children}
    </footer>
  );
}

interface FormStepProps<V extends object> {
  readonly form: Form<V>;
  readonly head: HeadProps;
  readonly step: StepProps;
  /** The fields. */
  readonly children: ReactNode;
}

/** A step that is a form; saving it goes on to the next step. */
export function FormStep<V extends object>({ form, head, step, children }: FormStepProps<V>) {
  const { t } = useTranslation('setup');
  return (
    <FormFrame form={form} className={styles.step} label={head.title}>
      <StepHead {...head} />
      <div className={styles.fields}>{children}</div>
      <StepActions {...step}>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('next')}
        </Button>
      </StepActions>
    </FormFrame>
  );
}

interface UnreadStepProps {
  readonly head: HeadProps;
  readonly step: StepProps;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

/** A step whose answers are loading or couldn't be loaded. It can still be skipped. */
export const UnreadStep = ({ head, step, error, onRetry }: UnreadStepProps) => (
  <div className={styles.step}>
    <StepHead {...head} />
    <ReadState error={error} onRetry={onRetry} />
    <StepActions {...step} />
  </div>
);
