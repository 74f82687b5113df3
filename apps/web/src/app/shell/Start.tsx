import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { paths } from '../../paths.ts';
import { useSession } from '../session/session.ts';
import { startPage } from '../session/start-page.ts';
import { useNavigation } from './navigation.ts';

/** The key of the place at which the app was opened; whoever goes on from there gets others. */
const OPENED_HERE = 'default';

/**
 * At the app's root: whoever opens the app begins on their start page. Whoever comes to the map from another page, or by
 * a link that says what to show, stays.
 */
export function Start({ children }: { readonly children: ReactNode }) {
  const { key, search } = useLocation();
  const me = useSession(session => session.me);
  const start = startPage(me, useNavigation());
  if (key !== OPENED_HERE || search !== '' || start === paths.dashboard()) return children;
  return <Navigate to={start} replace />;
}
