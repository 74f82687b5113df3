import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
import { KeyCap } from '../../../ui/KeyCap.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { addFilter, search, useDashboard } from '../state/dashboard-state.ts';

interface Props {
  readonly ref?: Ref<HTMLInputElement>;
  /** Inside the phone's bar: larger, and without its own frame. */
  readonly bare?: boolean;
}

/** Searches while typing. Enter turns typed filters, such as `fuel<20`, into tokens and keeps the other words. */
export function SearchField({ ref, bare = false }: Props) {
  const { t } = useTranslation('dashboard');
  const query = useDashboard(state => state.query);
  const system = useMeasureSystem();

  function takeFilters(): void {
    const { tokens, words } = parseSearch(query, system);
    if (tokens.length === 0) return;
    tokens.forEach(addFilter);
    search(words.join(' '));
  }

  return (
    <SearchBox
      ref={ref}
      value={query}
      onSearch={search}
      onEnter={takeFilters}
      label={t('list.searchLabel')}
      placeholder={t(bare ? 'list.searchShort' : 'list.search')}
      clearLabel={t('list.clearSearch')}
      end={!bare && <KeyCap name="f" />}
      bare={bare}
    />
  );
}
