import type { ReactNode } from 'react';
import styles from './SectionFrame.module.css';

interface Props {
  readonly title: string;
  /** To the right of the title: who changed it last. */
  readonly note?: ReactNode;
  /** To the right of the whole, below it on a smaller screen: a preview. */
  readonly aside?: ReactNode;
  /** As wide as there is room: for lists. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** The frame of every section: its title and its cards. */
export function SectionFrame({ title, note, aside, wide = false, children }: Props) {
  return (
    <div className={styles.frame} data-wide={wide || undefined} data-aside={aside ? true : undefined}>
      <div className={styles.main}>
        <header className={styles.head}>
          <h1>{title}</h1>
          {note && <p className={styles.note}>{note}</p>}
        </header>
        {children}
      </div>
      {aside && <aside className={styles.aside}>{aside}</aside>}
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

/** Settings that belong together. */
export function Card({ title, text, children }: CardProps) {
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </section>
  );
}
