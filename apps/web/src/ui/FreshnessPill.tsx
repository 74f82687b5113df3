import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './FreshnessPill.module.css';

/** `live` is a round teal dot, `slow` is amber, `offline` is a red diamond. `past` is amber, too. */
export type Freshness = 'live' | 'slow' | 'offline';
type Look = Freshness | 'past';

interface Props extends ComponentPropsWithRef<'button'> {
  readonly freshness: Look;
  readonly word: string;
  /** The age of the data; null where there is no room for it. */
  readonly detail: string | null;
  /** Shown at the end of the pill. */
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
