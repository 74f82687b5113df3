import type { ReactNode } from 'react';
import styles from './SectionFrame.module.css';

interface Props {
  readonly title: string;
  /** To the right of the title: who last changed the section. */
  readonly note?: ReactNode;
  /** A preview to the right of everything; below it on a small screen. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every section: its title and its cards. */
export function SectionFrame({ title, note, aside, children }: Props) {
  return (
    <div className={styles.frame} data-aside={aside ? true : undefined}>
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

/** Settings that belong together: title and text, with the fields beside them if there is room. */
export function Card({ title, text, children }: CardProps) {
  return (
    <section className={styles.card}>
      <header>
        <h2>{title}</h2>
        {text && <p className={styles.text}>{text}</p>}
      </header>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
