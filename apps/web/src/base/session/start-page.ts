import { paths } from '../../paths.ts';
import { keepsNoLog } from './own-log.ts';
import type { StoredMe } from './stored-me.ts';

/**
 * Where someone begins, after signing in and when the app is opened: at the set-up of a new installation, else on the
 * page that they have chosen, as long as they may open it; else a driver with what is their own, and everybody else
 * with the map.
 */
export function startPage(
  me: Pick<StoredMe, 'role' | 'preferences'> | null | undefined,
  places: readonly { readonly path: string }[],
): string {
  if (asksForSetup(me?.preferences)) return paths.setup();
  const chosen = places.find(({ path }) => path === me?.preferences.startPage);
  return chosen?.path ?? (me?.role === 'driver' ? ownPage(places) : paths.dashboard());
}

/** On a phone a driver's log, if they keep one. */
const ownPage = (places: readonly { readonly path: string }[]): string =>
  isPhone() && !keepsNoLog() && places.some(({ path }) => path === paths.eld()) ? paths.eld() : paths.personal();

const isPhone = (): boolean => globalThis.matchMedia?.('(max-width: 37.49em)').matches ?? false;

/** In a new installation with setup not started; later the map offers to finish it. */
export const asksForSetup = (own: StoredMe['preferences'] | undefined): boolean =>
  own?.setupDone?.length === 0 && own.setupSkipped?.length === 0;
