import type { Severity } from '@milepost/contract';
import type { Icon } from '@tabler/icons-react';
import { useRuleTexts } from '../../rules/rule-words.ts';
import styles from './RuleIcon.module.css';

interface Props {
  readonly icon: Icon;
  readonly severity: Severity;
  readonly isOn: boolean;
}

/** In the color of its severity, which it names. */
export function RuleIcon({ icon: Icon, severity, isOn }: Props) {
  const texts = useRuleTexts();
  return (
    <span className={styles.icon} data-severity={severity} data-off={!isOn || undefined}>
      <Icon size={18} stroke={1.75} role="img" aria-label={texts.severity[severity]} />
    </span>
  );
}
