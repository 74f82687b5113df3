import type { ReactNode } from 'react';
import styles from './RegistryPage.module.css';

interface Props {
  readonly title: string;
  /** How many there are, beside the title. */
  readonly count?: ReactNode;
  /** Buttons at the right end of the title. */
  readonly actions?: ReactNode;
  /** A panel to the left: a tree of folders or departments. Above the list on a small screen. */
  readonly side?: ReactNode;
  /** Search, filters, views. */
  readonly toolbar?: ReactNode;
  /** The table, or its empty state. */
  readonly children: ReactNode;
  /** What belongs to the page and comes after the list. */
  readonly below?: ReactNode;
  /** An `Inspector`, while a row is open. */
  readonly inspector?: ReactNode;
}

/** The frame of registry pages: title, toolbar, list, and a drawer docked to the right. */
export function RegistryPage({ title, count, actions, side, toolbar, children, below, inspector }: Props) {
  return (
    <div className={styles.page} data-page="flow" data-side={side ? true : undefined}>
      {side && <aside className={styles.side}>{side}</aside>}
      <div className={styles.body}>
        <header className={styles.head}>
          <h1>{title}</h1>
          {count && <p className={styles.count}>{count}</p>}
          <div className={styles.actions}>{actions}</div>
        </header>
        {toolbar}
        <div className={styles.list}>{children}</div>
        {below}
      </div>
      {inspector}
    </div>
  );
}
