import { IconX } from '@tabler/icons-react';
import styles from './Token.module.css';

interface Props {
  readonly children: string;
  readonly removeLabel: string;
  readonly onRemove: () => void;
}

/** Something the user added and can remove again, such as a filter or a folder in a scope. */
export function Token({ children, removeLabel, onRemove }: Props) {
  return (
    <span className={styles.token}>
      {children}
      <button type="button" aria-label={removeLabel} onClick={onRemove}>
        <IconX size={14} stroke={1.75} aria-hidden />
      </button>
    </span>
  );
}
