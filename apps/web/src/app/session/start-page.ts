import { paths } from '../../paths.ts';
import type { StoredMe } from './stored-me.ts';

/**
 * Where somebody begins, after signing in and when the app is opened: on the page that they have chosen, as long as they
 * may open it; else a driver with what is their own, and everybody else with the map.
 */
export function startPage(
  me: Pick<StoredMe, 'role' | 'preferences'> | null | undefined,
  places: readonly { readonly path: string }[],
): string {
  const chosen = places.find(({ path }) => path === me?.preferences.startPage);
  return chosen?.path ?? (me?.role === 'driver' ? paths.personal() : paths.dashboard());
}
