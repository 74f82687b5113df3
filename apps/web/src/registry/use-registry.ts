import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type RegistryView, type Sort, toggled, viewOf, withView } from './registry-url.ts';

/** The URL changes only after a pause in typing, because browsers limit how often it may change. */
const SETTLE_MS = 300;

export interface Registry extends RegistryView {
  readonly search: (query: string) => void;
  readonly toggle: (filter: string, value: string) => void;
  /** Replaces all filters, for a saved view or to clear them. */
  readonly filterBy: (filters: RegistryView['filters']) => void;
  readonly sortBy: (sort: Sort | null) => void;
  /** Opens a row's drawer, or closes it with null. This adds a history entry, so Back closes the drawer. */
  readonly openRow: (id: string | null) => void;
  /** Clears search and filters. */
  readonly clear: () => void;
  readonly filtered: boolean;
}

/** The state of a registry page. It is stored in the URL, so it survives a reload and can be shared. */
export function useRegistry(filters: readonly string[] = []): Registry {
  const [parameters, setParameters] = useSearchParams();
  const view = viewOf(parameters, filters);
  const [typed, setTyped] = useState(view.query);
  const written = useRef(view.query);

  // The router updates the URL slightly later, but a checkbox must change at once.
  const [chosen, setChosen] = useState(view.filters);
  const inAddress = JSON.stringify(view.filters);

  // Two quick changes must both count, so the last parameters written here apply until the URL has them.
  const latest = useRef(parameters);
  useEffect(() => {
    latest.current = parameters;
  }, [parameters]);

  const change = (part: Partial<RegistryView>, replace = true): void => {
    if (part.filters) setChosen(part.filters);
    const before = viewOf(latest.current, filters);
    latest.current = withView(latest.current, { ...before, query: typed, filters: chosen, ...part }, filters);
    setParameters(latest.current, { replace });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: as text, for it is another object each time.
  useEffect(() => setChosen(view.filters), [inAddress]);

  // If the query in the URL changed elsewhere (by a link, back or forward), it replaces the typed text.
  useEffect(() => {
    if (view.query === written.current) return;
    written.current = view.query;
    setTyped(view.query);
  }, [view.query]);

  // Uses the filters at the time of the call, not those when the typing stopped.
  const settle = useEffectEvent(() => {
    if (typed === view.query) return;
    written.current = typed;
    change({ query: typed });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what was typed waits again.
  useEffect(() => {
    const timer = setTimeout(settle, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  return {
    ...view,
    query: typed,
    filters: chosen,
    search: setTyped,
    toggle: (filter, value) => change({ filters: toggled(chosen, filter, value) }),
    filterBy: wanted => change({ filters: wanted }),
    sortBy: sort => change({ sort }),
    openRow: open => change({ open }, false),
    clear: () => {
      written.current = '';
      setTyped('');
      change({ query: '', filters: {} });
    },
    filtered: typed.trim() !== '' || Object.keys(chosen).length > 0,
  };
}
