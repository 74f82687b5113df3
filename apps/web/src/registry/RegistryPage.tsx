import type { ReactNode } from 'react';
import styles from './RegistryPage.module.css';

interface Props {
  readonly title: string;
  /** Number of items, shown beside the title. */
  readonly count?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** A panel at the left, such as the tree of folders. Above the list on a small screen. */
  readonly side?: ReactNode;
  /** Search, filters and views. */
  readonly toolbar?: ReactNode;
  /** The table, or its empty state. */
  readonly children: ReactNode;
  /** Further content below the list. */
  readonly below?: ReactNode;
  /** An `Inspector` while a row is open. */
  readonly inspector?: ReactNode;
}

/** The layout of registry pages: title, toolbar, list, and a drawer docked to the right. */
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
