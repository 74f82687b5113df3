import { IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, type Ref, useId } from 'react';
import hidden from './hidden.module.css';
import { IconButton } from './IconButton.tsx';
import styles from './SearchBox.module.css';

interface Props {
  readonly ref?: Ref<HTMLInputElement> | undefined;
  readonly value: string;
  readonly onSearch: (query: string) => void;
  readonly onEnter?: () => void;
  /** Name of the field for screen readers. */
  readonly label: string;
  /** What can be searched for. */
  readonly placeholder: string;
  readonly clearLabel: string;
  /** Stands at the end while nothing is searched for. */
  readonly end?: ReactNode;
  /** Inside the phone's bar: larger, and without its own frame. */
  readonly bare?: boolean;
}

/** A field that searches while the user types. Esc clears it; when it is empty, Esc leaves it. */
export function SearchBox(props: Props) {
  const { ref, value, onSearch, onEnter, label, placeholder, clearLabel, end, bare = false } = props;
  const id = useId();
  return (
    <search className={styles.box} data-bare={bare || undefined}>
      <label htmlFor={id}>
        <IconSearch size={bare ? 22 : 15} stroke={1.75} aria-hidden />
        <span className={hidden.hidden}>{label}</span>
      </label>
      <input
        ref={ref}
        id={id}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={event => onSearch(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') onEnter?.();
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          if (value === '') event.currentTarget.blur();
          else onSearch('');
        }}
      />
      {value === '' ? (
        end
      ) : (
        <IconButton label={clearLabel} className={styles.clear} onClick={() => onSearch('')}>
          <IconX size={16} stroke={1.75} aria-hidden />
        </IconButton>
      )}
    </search>
  );
}
