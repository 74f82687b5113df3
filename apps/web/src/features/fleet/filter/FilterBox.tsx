import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { describeToken } from '../../../search-tokens/describe-token.ts';
import { formatToken, withoutToken } from '../../../search-tokens/search-text.ts';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Token } from '../../../ui/Token.tsx';
import type { FleetState } from '../state/use-fleet-view.ts';
import styles from './Filter.module.css';
import { type FilterChoices, FilterMenu } from './FilterMenu.tsx';

interface Props {
  readonly state: FleetState;
  readonly choices: FilterChoices;
  readonly searchRef: Ref<HTMLInputElement>;
}

/** The table's filters: the search field with the typed words, and the tokens beside it, typed or chosen. */
export function FilterBox({ state, choices, searchRef }: Props) {
  return (
    <>
      <FilterSearch state={state} searchRef={searchRef} />
      <FilterTokens state={state} />
      <FilterMenu search={state.view.search} onSearch={search => state.change({ search })} choices={choices} />
    </>
  );
}

export function FilterSearch({ state: { typed, type, finish }, searchRef }: Pick<Props, 'state' | 'searchRef'>) {
  const { t } = useTranslation(['fleet', 'registry']);
  return (
    <form
      className={styles.search}
      onSubmit={event => {
        event.preventDefault();
        finish();
      }}
    >
      <SearchBox
        ref={searchRef}
        value={typed}
        onSearch={type}
        label={t('filter.label')}
        placeholder={t('filter.placeholder')}
        clearLabel={t('registry:clearSearch')}
      />
    </form>
  );
}

export function FilterTokens({ state: { view, change } }: Pick<Props, 'state'>) {
  const { t } = useTranslation('registry');
  const { t: words } = useTranslation(['searchTokens', 'vehicle']);
  return (
    <>
      {view.search.tokens.map(token => {
        const text = describeToken(token, words);
        return (
          <Token
            key={formatToken(token)}
            removeLabel={t('removeFilter', { filter: text })}
            onRemove={() => change({ search: withoutToken(view.search, token) })}
          >
            {text}
          </Token>
        );
      })}
    </>
  );
}
