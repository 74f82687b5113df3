import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { SIZE_FIELDS, WORD_FIELDS } from '../../../search-tokens/fields.ts';
import { formatSearch, parseSearch, type Search, withToken } from '../../../search-tokens/search-text.ts';
import { type FleetView, queryOf, viewOf, withView } from './fleet-url.ts';

const VIEW_PARAMETER = 'view';
/** Typing changes the address only after a pause, because browsers limit how often it may change. */
const SETTLE_MS = 300;
/** Marks an address that the page wrote itself: it follows the state instead of setting it. */
const WRITTEN_HERE = { writtenByFleet: true } as const;
/** A filter that is still being typed is not searched for as a word. */
const BEGUN = new RegExp(String.raw`(?:^|\s)-?(?:${[...WORD_FIELDS, ...SIZE_FIELDS].join('|')})(?::\S*|[<>]\S*)$`, 'i');

export interface FleetState {
  readonly view: FleetView;
  /** Text in the search field; finished filters have become tokens and are no longer in it. */
  readonly typed: string;
  readonly type: (text: string) => void;
  /** Applies the typed text as it is. */
  readonly finish: () => void;
  readonly change: (change: Partial<FleetView>) => void;
  /** The saved view that is open, changed or not. */
  readonly viewId: string | null;
  /** Opens another view, as a new history entry; without an id, an unsaved view. */
  readonly open: (query: string, viewId: string | null) => void;
  /** The shown view has been saved under this id. */
  readonly keepAs: (viewId: string | null) => void;
}

/** The page's state, kept in its address: it survives a reload, works with Back, and can be sent to someone. */
export function useFleetView(): FleetState {
  const [parameters, setParameters] = useSearchParams();
  const location = useLocation();
  const navigation = useNavigationType();
  const system = useMeasureSystem();
  const address = parameters.toString();
  const inAddress = useMemo(() => viewOf(new URLSearchParams(address)), [address]);
  const [typed, setTyped] = useState(() => formatSearch({ tokens: [], words: inAddress.search.words }));
  // The router changes the address a moment later, but what the user chose must show at once.
  const [view, setView] = useState(inAddress);

  const change = (part: Partial<FleetView>): void => {
    const next = { ...view, ...part };
    setView(next);
    setParameters(current => withView(current, next), { replace: true, state: WRITTEN_HERE });
  };

  const follow = useEffectEvent(() => {
    if (navigation !== 'POP' && location.state?.writtenByFleet) return;
    if (queryOf(inAddress) === queryOf(view)) return;
    setView(inAddress);
    setTyped(formatSearch({ tokens: [], words: inAddress.search.words }));
  });
  // An address from a link or from Back sets the state. Every step counts, also a step back to the same address before
  // the view that was left has rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step in the history is a new location.
  useEffect(() => follow(), [location]);

  const asSearch = (text: string): Search => {
    const { tokens, words } = parseSearch(text, system);
    return { ...tokens.reduce(withToken, view.search), words };
  };

  const settle = useEffectEvent(() => {
    const search = { ...view.search, words: parseSearch(typed.replace(BEGUN, ''), system).words };
    if (formatSearch(search) !== formatSearch(view.search)) change({ search });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke starts the wait again.
  useEffect(() => {
    const timer = setTimeout(settle, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  const take = (text: string): void => {
    const search = asSearch(text);
    setTyped(formatSearch({ tokens: [], words: search.words }));
    change({ search });
  };

  return {
    view,
    typed,
    // A space ends a token, which then becomes a chip next to the box.
    type: text => (/\s$/.test(text) && parseSearch(text, system).tokens.length > 0 ? take(text) : setTyped(text)),
    finish: () => take(typed),
    change,
    viewId: parameters.get(VIEW_PARAMETER),
    keepAs: id => setParameters(current => withId(current, id), { replace: true, state: WRITTEN_HERE }),
    open: (query, id) => {
      const next = viewOf(new URLSearchParams(query));
      setView(next);
      setTyped(formatSearch({ tokens: [], words: next.search.words }));
      setParameters(current => withId(withView(current, next), id), { state: WRITTEN_HERE });
    },
  };
}

function withId(parameters: URLSearchParams, id: string | null): URLSearchParams {
  const written = new URLSearchParams(parameters);
  if (id === null) written.delete(VIEW_PARAMETER);
  else written.set(VIEW_PARAMETER, id);
  return written;
}
