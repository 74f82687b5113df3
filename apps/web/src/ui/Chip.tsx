import type { ReactNode } from 'react';
import styles from './Chip.module.css';

export type ChipTone = 'neutral' | 'ok' | 'info' | 'warning' | 'critical' | 'live';

/** States something in a word on a soft tone; the word carries the meaning, the tone repeats it. */
export function Chip({ tone = 'neutral', children }: { readonly tone?: ChipTone; readonly children: ReactNode }) {
  return (
    <span className={styles.chip} data-tone={tone}>
      {children}
    </span>
  );
}
