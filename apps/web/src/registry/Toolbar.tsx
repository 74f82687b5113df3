import { IconPlus } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Popover } from '../ui/Popover.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Token } from '../ui/Token.tsx';
import styles from './Toolbar.module.css';
import type { Registry } from './use-registry.ts';

export interface Filter {
  readonly id: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

interface Props {
  readonly registry: Registry;
  /** What the search covers: "Name, user name, email". */
  readonly searchHint: string;
  readonly searchRef?: Ref<HTMLInputElement>;
  readonly filters?: readonly Filter[];
  /** `Segments` for views, at the left. */
  readonly views?: ReactNode;
  /** Totals or actions at the right. */
  readonly children?: ReactNode;
}

/** Search, active filters as tokens, and a menu to add filters. */
export function Toolbar({ registry, searchHint, searchRef, filters = [], views, children }: Props) {
  const { t } = useTranslation('registry');
  return (
    <div className={styles.toolbar}>
      {views}
      <div className={styles.search}>
        <SearchBox
          {...(searchRef && { ref: searchRef })}
          value={registry.query}
          onSearch={registry.search}
          label={t('search', { what: searchHint })}
          placeholder={searchHint}
          clearLabel={t('clearSearch')}
        />
      </div>
      {filters.flatMap(({ id, label, options }) =>
        (registry.filters[id] ?? []).map(value => {
          const text = t('token', { filter: label, value: options.find(one => one.value === value)?.label ?? value });
          return (
            <Token
              key={`${id}-${value}`}
              removeLabel={t('removeFilter', { filter: text })}
              onRemove={() => registry.toggle(id, value)}
            >
              {text}
            </Token>
          );
        }),
      )}
      {filters.length > 0 && (
        <Popover
          label={t('filters')}
          trigger={props => (
            <Button {...props} icon={<IconPlus size={16} stroke={1.75} aria-hidden />}>
              {t('filter')}
            </Button>
          )}
        >
          <div className={styles.filters}>
            {filters.map(filter => (
              <fieldset key={filter.id}>
                <legend>{filter.label}</legend>
                {filter.options.map(({ value, label }) => (
                  <Checkbox
                    key={value}
                    checked={registry.filters[filter.id]?.includes(value) ?? false}
                    onChange={() => registry.toggle(filter.id, value)}
                  >
                    {label}
                  </Checkbox>
                ))}
              </fieldset>
            ))}
          </div>
        </Popover>
      )}
      {children && <div className={styles.end}>{children}</div>}
    </div>
  );
}
