import { COMMAND_CATEGORIES, type CommandAction, type CommandCategory } from '@milepost/contract';
import { type KeyboardEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { matchesSearch } from '../../registry/search.ts';
import { Segments } from '../../ui/Segments.tsx';
import { COMMAND_ICONS } from '../command-icons.ts';
import type { OfferedCommand } from '../offers.ts';
import styles from './CommandList.module.css';

interface Props {
  readonly commands: readonly OfferedCommand[];
  readonly categories: readonly CommandCategory[];
  readonly vehicles: number;
  readonly category: CommandCategory;
  readonly onCategory: (category: CommandCategory) => void;
  readonly chosen: CommandAction | null;
  readonly onChoose: (action: CommandAction) => void;
  /** Called after a command was chosen by Enter or a click, to go to its details. */
  readonly onEnter: () => void;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** The trackers' commands are still loading. */
  readonly loading: boolean;
}

/** The commands to choose from. The search field has the focus at first; its arrow keys move through the list. */
export function CommandList(props: Props) {
  const { commands, categories, vehicles, category, onCategory, chosen, onChoose, onEnter, query, onQuery, loading } =
    props;
  const { t } = useTranslation('commands');
  const id = useId();
  const words = (action: CommandAction) => [t(`action.${action}`), action];
  const found = commands.filter(
    ({ action, makers, ...one }) =>
      (query !== '' || one.category === category) && matchesSearch(query, [...words(action), ...makers]),
  );
  const at = found.findIndex(({ action }) => action === chosen);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = found[Math.min(Math.max(at + step, 0), found.length - 1)];
      if (next) onChoose(next.action);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const first = found[at === -1 ? 0 : at];
      if (!first) return;
      onChoose(first.action);
      onEnter();
    } else if (event.key === 'Escape' && query !== '') {
      event.preventDefault();
      onQuery('');
    }
  }

  return (
    <>
      <input
        className={styles.search}
        type="text"
        role="combobox"
        aria-label={t('search')}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={at === -1 ? undefined : `${id}-${chosen}`}
        placeholder={t('search')}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        data-autofocus
        value={query}
        onChange={event => onQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.kinds}>
        <Segments
          label={t('categories.label')}
          chosen={category}
          onChoose={onCategory}
          segments={COMMAND_CATEGORIES.filter(one => categories.includes(one)).map(one => ({
            id: one,
            label: t(`categories.${one}`, { count: commands.filter(command => command.category === one).length }),
          }))}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t('list')} className={styles.list}>
        {found.map(({ action, vehicles: having }) => {
          const Icon = COMMAND_ICONS[action];
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search field.
            // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus and names the chosen one.
            <div
              key={action}
              id={`${id}-${action}`}
              role="option"
              aria-selected={action === chosen}
              className={styles.command}
              onClick={() => {
                onChoose(action);
                onEnter();
              }}
            >
              <Icon size={18} stroke={1.75} aria-hidden />
              <span className={styles.words}>
                <b>{t(`action.${action}`)}</b>
                <code>{action}</code>
                {having < vehicles && <small>{t('someHave', { some: having, all: vehicles })}</small>}
              </span>
            </div>
          );
        })}
      </div>
      {found.length === 0 && !loading && (
        <p className={styles.none}>{query === '' ? t('noneOffered') : t('noneFound', { query })}</p>
      )}
    </>
  );
}
