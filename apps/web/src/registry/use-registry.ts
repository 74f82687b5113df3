import { useEffect, useEffectEvent, useRef, useState } from 'react';
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

  // The router changes the address a moment later, but a box that was ticked has to be ticked at once.
  const [chosen, setChosen] = useState(view.filters);
  const inAddress = JSON.stringify(view.filters);

  // … and two changes in a row both count: what was written last leads until the address has it.
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

  // An address that came from elsewhere (a link, back and forward) leads; one that was written here follows.
  useEffect(() => {
    if (view.query === written.current) return;
    written.current = view.query;
    setTyped(view.query);
  }, [view.query]);

  // With the filters as they are then, not as they were when the typing stopped.
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
