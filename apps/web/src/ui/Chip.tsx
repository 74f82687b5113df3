import type { ReactNode } from 'react';
import styles from './Chip.module.css';

export type ChipTone = 'neutral' | 'ok' | 'info' | 'warning' | 'critical' | 'live';

/** Shows a state as a word on a soft background. The word has the meaning; the color only repeats it. */
export function Chip({ tone = 'neutral', children }: { readonly tone?: ChipTone; readonly children: ReactNode }) {
  return (
    <span className={styles.chip} data-tone={tone}>
      {children}
    </span>
  );
}
