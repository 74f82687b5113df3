import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useNavigation } from '../../base/navigation.ts';
import { useSession } from '../../base/session/session.ts';
import { startPage } from '../../base/session/start-page.ts';
import { paths } from '../../paths.ts';

/** The history key of the first page in this tab. Later pages have other keys. */
const OPENED_HERE = 'default';

/**
 * The app's root. Opening the app goes to the user's start page. Coming here from another page, or by a link with a
 * search part, shows the map.
 */
export function Start({ children }: { readonly children: ReactNode }) {
  const { key, search } = useLocation();
  const me = useSession(session => session.me);
  const start = startPage(me, useNavigation());
  if (key !== OPENED_HERE || search !== '' || start === paths.dashboard()) return children;
  return <Navigate to={start} replace />;
}
