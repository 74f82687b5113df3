import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import { AT_PARAMETER, FOLLOW_PARAMETER } from '../../../paths.ts';
import { follow, openView, useDashboard } from './dashboard-state.ts';
import { parametersOf, viewOf } from './url-state.ts';

/** Typing changes the address only after a pause, because browsers limit how often it may change. */
const SETTLE_MS = 300;
/** Marks the history entries that this page wrote itself. */
const OWN = { writtenByDashboard: true } as const;

const isOwn = (state: unknown): boolean => typeof state === 'object' && state !== null && 'writtenByDashboard' in state;

/** The page's state is in the address: it survives a reload and can be sent to someone [product 1.0, Lists]. */
export function useUrlState(): void {
  const location = useLocation();
  const navigate = useNavigate();
  const how = useNavigationType();

  // Applies the address on arrival, from a link, and on back and forward. Skips addresses that this page wrote: they
  // follow the state and may arrive after the user has moved on.
  const latest = useRef({ location, how });
  latest.current = { location, how };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry has its own key.
  useEffect(() => {
    const { search, state } = latest.current.location;
    if (latest.current.how !== 'POP' && isOwn(state)) return;
    const parameters = new URLSearchParams(search);
    openView(viewOf(parameters));
    // Links within the app can ask for it; an address that is sent to someone never contains it.
    if (parameters.has(FOLLOW_PARAMETER)) follow(true);
  }, [location.key]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      const parameters = parametersOf(useDashboard.getState());
      // The moment shown is not part of the page's state, so keep it from the address.
      const at = new URLSearchParams(window.location.search).get(AT_PARAMETER);
      if (at) parameters.set(AT_PARAMETER, at);
      const search = parameters.toString();
      const { pathname } = latest.current.location;
      // The user has already gone to another page, or nothing changed.
      if (window.location.pathname !== pathname || window.location.search.replace(/^\?/, '') === search) return;
      void navigate({ pathname, search }, { replace: true, state: OWN });
    };
    const end = useDashboard.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(write, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [navigate]);
}
