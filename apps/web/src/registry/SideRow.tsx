import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount } from '../format/locale.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import styles from './SideList.module.css';

interface Props {
  readonly icon: ReactNode;
  readonly name: string;
  readonly text: string;
  /** On two lines, if it needs them. */
  readonly isLong?: boolean;
  /** A line below the text. */
  readonly note?: ReactNode;
  /** At the end of the row: the word that says it is off, or a figure and what it counts. */
  readonly off?: string | null;
  readonly count?: number | undefined;
  readonly counted?: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  /** While several rows are selected: whether this one is, and what a click does instead of opening it. */
  readonly selection?: { readonly isSelected: boolean; readonly onSelect: () => void } | undefined;
}

/** A row of a list beside what is open of it. The open one scrolls into view. */
export function SideRow({ isOpen, onOpen, selection, ...content }: Props) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  if (selection) {
    return (
      <li>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the control. */}
        <label className={styles.row} data-selected={selection.isSelected || undefined}>
          <Checkbox checked={selection.isSelected} aria-label={content.name} onChange={selection.onSelect} />
          <Content {...content} />
        </label>
      </li>
    );
  }
  return (
    <li>
      <button ref={row} type="button" className={styles.row} aria-current={isOpen || undefined} onClick={onOpen}>
        <Content {...content} />
      </button>
    </li>
  );
}

function Content({
  icon,
  name,
  text,
  isLong = false,
  note,
  off = null,
  count,
  counted,
}: Omit<Props, 'isOpen' | 'onOpen' | 'selection'>) {
  return (
    <>
      {icon}
      <span className={styles.names}>
        <b data-off={off !== null || undefined}>{name}</b>
        <span className={styles.text} data-lines={isLong || undefined}>
          {text}
        </span>
        {note}
      </span>
      {off !== null && <span className={styles.off}>{off}</span>}
      {off === null && count !== undefined && (
        <span className={styles.count} data-none={count === 0 || undefined}>
          <b>{formatCount(count)}</b> <span>{counted}</span>
        </span>
      )}
    </>
  );
}
