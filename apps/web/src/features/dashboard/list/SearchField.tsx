import { IconSearch, IconX } from '@tabler/icons-react';
import { type Ref, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
import hidden from '../../../ui/hidden.module.css';
import { IconButton } from '../../../ui/IconButton.tsx';
import { KeyCap } from '../../../ui/KeyCap.tsx';
import { addFilter, search, useDashboard } from '../state/dashboard-state.ts';
import styles from './SearchField.module.css';

interface Props {
  readonly ref?: Ref<HTMLInputElement>;
  /** Inside the phone's bar: larger, and without its own frame. */
  readonly bare?: boolean;
}

/** Searches while typing. Enter turns typed filters into tokens; Esc clears the field, or leaves it when empty. */
export function SearchField({ ref, bare = false }: Props) {
  const { t } = useTranslation('dashboard');
  const id = useId();
  const query = useDashboard(state => state.query);
  const system = useMeasureSystem();

  /** Turns typed filters, such as `fuel<20`, into tokens and keeps the other words. */
  function takeFilters(): void {
    const { tokens, words } = parseSearch(query, system);
    if (tokens.length === 0) return;
    tokens.forEach(addFilter);
    search(words.join(' '));
  }

  return (
    <search className={styles.field} data-bare={bare || undefined}>
      <label htmlFor={id}>
        <IconSearch size={bare ? 22 : 15} stroke={1.75} aria-hidden />
        <span className={hidden.hidden}>{t('list.searchLabel')}</span>
      </label>
      <input
        ref={ref}
        id={id}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={t(bare ? 'list.searchShort' : 'list.search')}
        value={query}
        onChange={event => search(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') takeFilters();
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          if (query === '') event.currentTarget.blur();
          else search('');
        }}
      />
      {query !== '' ? (
        <IconButton label={t('list.clearSearch')} className={styles.clear} onClick={() => search('')}>
          <IconX size={16} stroke={1.75} aria-hidden />
        </IconButton>
      ) : (
        !bare && <KeyCap name="f" />
      )}
    </search>
  );
}
