import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import styles from './Tabs.module.css';

export interface Tab<T extends string> {
  readonly id: T;
  readonly label: string;
  /** Number of items on the tab, as text. */
  readonly count?: string | undefined;
}

interface Props<T extends string> {
  readonly tabs: readonly Tab<T>[];
  readonly chosen: T;
  readonly onChoose: (tab: T) => void;
  readonly label: string;
  /** Shown at the end of the row of tabs. */
  readonly end?: ReactNode;
  /** Content of the chosen tab. */
  readonly children: ReactNode;
}

/** Tabs with a teal underline. Arrow keys move between tabs; the Tab key goes to the content. */
export function Tabs<T extends string>({ tabs, chosen, onChoose, label, end, children }: Props<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const isMoved = useRef(false);

  // Faded ends say that there are more tabs.
  useEffect(() => {
    const bar = list.current;
    if (!bar) return;
    const mark = (): void => {
      const left = Math.abs(bar.scrollLeft);
      bar.toggleAttribute('data-before', left > 1);
      bar.toggleAttribute('data-after', left + bar.clientWidth < bar.scrollWidth - 1);
    };
    // Counts that come later move the tabs; a user who looks at other tabs meanwhile is left alone.
    const observer = new ResizeObserver(() => {
      if (!isMoved.current) showChosen(bar);
      mark();
    });
    const moved = (): void => {
      isMoved.current = true;
    };
    for (const element of [bar, ...bar.children]) observer.observe(element);
    const { parentElement: row } = bar;
    bar.addEventListener('scroll', mark, { passive: true });
    for (const kind of ['pointerdown', 'wheel']) row?.addEventListener(kind, moved, { passive: true });
    return () => {
      observer.disconnect();
      bar.removeEventListener('scroll', mark);
      for (const kind of ['pointerdown', 'wheel']) row?.removeEventListener(kind, moved);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is chosen.
  useEffect(() => {
    isMoved.current = false;
    // Only the bar: the page or sheet around it stays where it is, with what is above the tabs.
    if (list.current) showChosen(list.current);
  }, [chosen]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const at = tabs.findIndex(tab => tab.id === chosen);
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: tabs.length - 1 - at }[event.key];
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  }

  return (
    <>
      <div className={styles.bar}>
        <div className={styles.row}>
          <Further to={-1} list={list} />
          <div ref={list} className={styles.tabs} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
            {tabs.map(tab => (
              <button
                key={tab.id}
                id={`${id}-${tab.id}`}
                type="button"
                role="tab"
                className={styles.tab}
                aria-selected={tab.id === chosen}
                aria-controls={`${id}-panel`}
                tabIndex={tab.id === chosen ? 0 : -1}
                onClick={() => onChoose(tab.id)}
              >
                {tab.label} {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
              </button>
            ))}
          </div>
          <Further to={1} list={list} />
        </div>
        {end}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reached by keyboard. */}
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`} tabIndex={0} className={styles.panel}>
        {children}
      </div>
    </>
  );
}

/** For a mouse, which can't swipe: shown while there are more tabs on that side. Keys reach all tabs without it. */
function Further({ to, list }: { readonly to: 1 | -1; readonly list: RefObject<HTMLDivElement | null> }) {
  const Icon = to < 0 ? IconChevronLeft : IconChevronRight;
  const scroll = (): void => list.current?.scrollBy({ left: (to * list.current.clientWidth) / 2, behavior: 'smooth' });
  return (
    <button type="button" tabIndex={-1} aria-hidden className={to < 0 ? styles.back : styles.on} onClick={scroll}>
      <Icon size={16} stroke={2} />
    </button>
  );
}

/** Room for the faded end, as in `scroll-padding-inline`. */
const END_PX = 36;

/** Scrolls the tabs, and nothing else, until the chosen one is whole. */
function showChosen(bar: HTMLElement): void {
  const tab = bar.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
  const { left, right } = bar.getBoundingClientRect();
  if (!tab) return;
  bar.scrollLeft += Math.min(0, tab.left - left - END_PX) + Math.max(0, tab.right - right + END_PX);
}
