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

/** What the table is asked for: words in the box, and tokens beside it, typed or chosen. */
export function FilterBox({ state, choices, searchRef }: Props) {
  const { t } = useTranslation(['fleet', 'registry']);
  const { t: words } = useTranslation(['searchTokens', 'vehicle']);
  const { view, typed, type, finish, change } = state;
  return (
    <>
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
      {view.search.tokens.map(token => {
        const text = describeToken(token, words);
        return (
          <Token
            key={formatToken(token)}
            removeLabel={t('registry:removeFilter', { filter: text })}
            onRemove={() => change({ search: withoutToken(view.search, token) })}
          >
            {text}
          </Token>
        );
      })}
      <FilterMenu search={view.search} onSearch={search => change({ search })} choices={choices} />
    </>
  );
}
