import { paths } from '../../paths.ts';
import { keepsNoLog } from './own-log.ts';
import type { StoredMe } from './stored-me.ts';

/**
 * The page to open after signing in or starting the app. In order: the setup of a new installation; the user's start
 * page, if they may open it; a driver's own page; the map.
 */
export function startPage(
  me: Pick<StoredMe, 'role' | 'preferences'> | null | undefined,
  places: readonly { readonly path: string }[],
): string {
  if (asksForSetup(me?.preferences)) return paths.setup();
  const chosen = places.find(({ path }) => path === me?.preferences.startPage);
  return chosen?.path ?? (me?.role === 'driver' ? ownPage(places) : paths.dashboard());
}

/** A driver's own page: the log on a phone, if they keep one; otherwise the personal page. */
const ownPage = (places: readonly { readonly path: string }[]): string =>
  isPhone() && !keepsNoLog() && places.some(({ path }) => path === paths.eld()) ? paths.eld() : paths.personal();

const isPhone = (): boolean => globalThis.matchMedia?.('(max-width: 37.49em)').matches ?? false;

/**
 * True in a new installation whose setup hasn't been started. If it is left unfinished, the map offers to finish it.
 */
export const asksForSetup = (own: StoredMe['preferences'] | undefined): boolean =>
  own?.setupDone?.length === 0 && own.setupSkipped?.length === 0;
