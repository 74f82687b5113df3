import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './BackHead.module.css';

interface Props {
  readonly title: string;
  /** Where the arrow leads, and its name for screen readers. */
  readonly back: string;
  readonly backLabel: string;
  /** At the end of the line. */
  readonly children?: ReactNode;
}

/** The head of a page that belongs to another one, with the way back. */
export const BackHead = ({ title, back, backLabel, children }: Props) => (
  <header className={styles.head}>
    <Link to={back} aria-label={backLabel} className={styles.back}>
      <IconArrowLeft size={20} stroke={1.75} aria-hidden />
    </Link>
    <h1>{title}</h1>
    {children}
  </header>
);
