import { useTranslation } from 'react-i18next';
import styles from './Work.module.css';

export const STEPS = ['what', 'how', 'outcome'] as const;
export type Step = (typeof STEPS)[number];

interface Props {
  readonly step: Step;
  readonly onStep: (step: Step) => void;
  readonly reachable: readonly Step[];
}

/** On a phone, shows which of the three steps is open. */
export function StepTabs({ step, onStep, reachable }: Props) {
  const { t } = useTranslation('commands');
  return (
    <nav className={styles.steps} aria-label={t('steps.label')}>
      {STEPS.map((one, at) => (
        <button
          key={one}
          type="button"
          aria-current={one === step ? 'step' : undefined}
          disabled={!reachable.includes(one)}
          onClick={() => onStep(one)}
        >
          {at + 1} · {t(`steps.${one}`)}
        </button>
      ))}
    </nav>
  );
}
