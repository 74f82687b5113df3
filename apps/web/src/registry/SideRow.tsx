import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount } from '../format/locale.ts';
import styles from './SideList.module.css';

interface Props {
  readonly icon: ReactNode;
  readonly name: string;
  readonly text: string;
  /** On two lines, if it needs them. */
  readonly isLong?: boolean;
  /** At the end of the row: the word that says it is off, or a figure and what it counts. */
  readonly off?: string | null;
  readonly count?: number | undefined;
  readonly counted?: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** A row of a list beside what is open of it. The open one scrolls into view. */
export function SideRow({ icon, name, text, isLong = false, off = null, count, counted, isOpen, onOpen }: Props) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <li>
      <button ref={row} type="button" className={styles.row} aria-current={isOpen || undefined} onClick={onOpen}>
        {icon}
        <span className={styles.names}>
          <b data-off={off !== null || undefined}>{name}</b>
          <span className={styles.text} data-lines={isLong || undefined}>
            {text}
          </span>
        </span>
        {off !== null && <span className={styles.off}>{off}</span>}
        {off === null && count !== undefined && (
          <span className={styles.count} data-none={count === 0 || undefined}>
            <b>{formatCount(count)}</b> <span>{counted}</span>
          </span>
        )}
      </button>
    </li>
  );
}
