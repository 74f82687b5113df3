import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type RegistryView, type Sort, toggled, viewOf, withView } from './registry-url.ts';

/** Typing changes the address only after a pause: browsers limit how often it may change. */
const SETTLE_MS = 300;

export interface Registry extends RegistryView {
  readonly search: (query: string) => void;
  readonly toggle: (filter: string, value: string) => void;
  /** Replaces all filters: a saved view, or none. */
  readonly filterBy: (filters: RegistryView['filters']) => void;
  readonly sortBy: (sort: Sort | null) => void;
  /** Opens a row's drawer, or closes it; a step of the history, so that Back closes it again. */
  readonly openRow: (id: string | null) => void;
  /** Search and filters back to nothing. */
  readonly clear: () => void;
  readonly filtered: boolean;
}

/** The state of a registry page, kept in its address: it survives a reload and can be sent to someone. */
export function useRegistry(filters: readonly string[] = []): Registry {
  const [parameters, setParameters] = useSearchParams();
  const view = viewOf(parameters, filters);
  const [typed, setTyped] = useState(view.query);
  const written = useRef(view.query);

  const change = (part: Partial<RegistryView>, replace = true): void =>
    setParameters(current => withView(current, { ...viewOf(current, filters), query: typed, ...part }, filters), {
      replace,
    });

  // An address that came from elsewhere (a link, back and forward) leads; one that was written here follows.
  useEffect(() => {
    if (view.query === written.current) return;
    written.current = view.query;
    setTyped(view.query);
  }, [view.query]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed settles, whatever else changes meanwhile.
  useEffect(() => {
    if (typed === view.query) return;
    const timer = setTimeout(() => {
      written.current = typed;
      change({ query: typed });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  return {
    ...view,
    query: typed,
    search: setTyped,
    toggle: (filter, value) => change({ filters: toggled(view, filter, value) }),
    filterBy: chosen => change({ filters: chosen }),
    sortBy: sort => change({ sort }),
    openRow: open => change({ open }, false),
    clear: () => {
      written.current = '';
      setTyped('');
      change({ query: '', filters: {} });
    },
    filtered: typed.trim() !== '' || Object.keys(view.filters).length > 0,
  };
}
