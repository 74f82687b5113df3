import type { ReactNode } from 'react';
import styles from './Card.module.css';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Buttons on the right, next to the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** One topic of a section. */
export function Card({ title, lead, actions, children }: Props) {
  return (
    <section className={styles.card} aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children && <div className={styles.body}>{children}</div>}
    </section>
  );
}

/** A list of sessions, passkeys or tokens, each with its actions. */
export const Rows = ({ children }: { readonly children: ReactNode }) => <ul className={styles.rows}>{children}</ul>;

export function RowItem({
  icon,
  title,
  text,
  children,
}: {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly text: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <li>
      {icon}
      <div className={styles.what}>
        <b>{title}</b>
        <span>{text}</span>
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </li>
  );
}
