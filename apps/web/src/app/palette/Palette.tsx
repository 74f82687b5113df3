import { IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import hidden from '../../ui/hidden.module.css';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { useModal } from '../../ui/use-modal.ts';
import type { Ranges } from './find.ts';
import type { PaletteItem } from './item.ts';
import type { ShellActions } from './items/use-actions.ts';
import { ADDRESS } from './items/use-towns.ts';
import type { VehicleTask } from './items/vehicle-actions.ts';
import { takeEarlyKeys } from './open.ts';
import styles from './Palette.module.css';
import { keepRecent } from './recent.ts';
import { useResults } from './use-results.ts';

interface Props {
  readonly shell: ShellActions;
  readonly onTask: (task: VehicleTask) => void;
  readonly onClose: () => void;
}

/** Search for vehicles, people, places, pages and actions, available on every page and fully usable by keyboard. */
export function Palette({ shell, onTask, onClose }: Props) {
  const { t } = useTranslation('palette');
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState(takeEarlyKeys);
  // Deferred so that typing stays responsive.
  const { groups } = useResults(useDeferredValue(query), shell, onTask);
  const hits = groups.flatMap(group => group.hits);
  const [marked, setMarked] = useState(0);
  const at = Math.min(marked, hits.length - 1);

  useModal(dialog, true);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  function choose(item: PaletteItem): void {
    if (!item.once) keepRecent(item.id);
    // Close first, so that what opens next can take the focus.
    dialog.current?.close();
    // If nothing had the focus before, Tab continues in the page that opens, not at its top.
    const { activeElement } = document;
    if (activeElement === document.body || dialog.current?.contains(activeElement))
      document.getElementById('main')?.focus();
    onClose();
    item.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (hits.length > 0) setMarked((at + step + hits.length) % hits.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      const hit = hits[at];
      if (hit) choose(hit.item);
    }
  }

  let index = 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it too, through the cancel event.
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t('title')}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
      onClick={event => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.field}>
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label={t('title')}
          aria-expanded={hits.length > 0}
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={hits.length > 0 ? `${id}-${at}` : undefined}
          placeholder={t('placeholder')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          value={query}
          onChange={event => {
            setQuery(event.currentTarget.value);
            setMarked(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={styles.close} onClick={onClose}>
          <span className={hidden.hidden}>{t('close')}</span>
          <KeyCap name="Escape" />
          <IconX size={20} stroke={1.75} aria-hidden />
        </button>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t('results')} className={styles.list}>
        {groups.map(({ group, hits: found }) => (
          // biome-ignore lint/a11y/useSemanticElements: options of one kind; a fieldset has no place in a listbox.
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} className={styles.group}>
              {t(`groups.${group}`)}
            </div>
            {found.map(({ item, title, subtitle }) => {
              const own = index++;
              const { Icon } = item;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the marked one.
                <div
                  key={item.id}
                  id={`${id}-${own}`}
                  role="option"
                  aria-selected={own === at}
                  className={styles.item}
                  onClick={() => choose(item)}
                  onPointerMove={() => setMarked(own)}
                >
                  <Icon size={18} stroke={1.75} aria-hidden />
                  {item.isVehicle ? (
                    <Plate>
                      <Marked text={item.title} ranges={title} />
                    </Plate>
                  ) : (
                    <span className={styles.title}>
                      <Marked text={item.title} ranges={title} />
                    </span>
                  )}
                  <span className={styles.subtitle}>
                    <Marked text={item.subtitle} ranges={subtitle} />
                  </span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {hits.length === 0 && (
        <div className={styles.none}>
          <b>{t('none', { query })}</b>
          <p>{t('noneText')}</p>
        </div>
      )}
      {hits.some(({ item }) => item.id.startsWith(ADDRESS)) && <p className={styles.source}>{t('addressesBy')}</p>}
      <footer className={styles.hints}>
        <span>{t('hintTokens')}</span>
        <span>{t('hintVerbs')}</span>
      </footer>
      <p className={hidden.hidden} role="status">
        {query !== '' && t('count', { count: hits.length })}
      </p>
    </dialog>
  );
}

/** A text with the matching letters highlighted. */
function Marked({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) {
  if (ranges.length === 0) return text;
  const parts = [];
  let from = 0;
  for (let at = 0; at + 1 < ranges.length; at += 2) {
    const [start = 0, end = 0] = ranges.slice(at, at + 2);
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return [...parts, text.slice(from)];
}
