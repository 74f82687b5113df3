import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './FreshnessPill.module.css';

/** Teal and round while live, amber while slow, a red diamond when there is no connection; amber also for the past. */
export type Freshness = 'live' | 'slow' | 'offline';
type Look = Freshness | 'past';

interface Props extends ComponentPropsWithRef<'button'> {
  readonly freshness: Look;
  readonly word: string;
  /** The age of the data; left out where there is no room. */
  readonly detail: string | null;
  /** What stands at its end. */
  readonly children?: ReactNode;
}

export function FreshnessPill({ freshness, word, detail, children, ...button }: Props) {
  return (
    <button type="button" {...button} className={styles.pill} data-freshness={freshness}>
      <i className={styles.dot} />
      {word}
      {detail !== null && <span className={styles.detail}>{detail}</span>}
      {children}
    </button>
  );
}
