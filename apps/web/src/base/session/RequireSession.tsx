import { Navigate, Outlet, useLocation } from 'react-router';
import { paths } from '../../paths.ts';
import { roadsideMode } from './roadside-lock.ts';
import { useSession } from './session.ts';

/** Pages below need a signed-in user [R5.01]; others are sent to the login page and back afterwards [R2.18]. */
export function RequireSession() {
  const signedIn = useSession(session => session.token !== null);
  const duty = useSession(session => session.me?.duty ?? null);
  const isDriver = useSession(session => session.me?.role === 'driver');
  const end = useSession(session => session.end);
  const { pathname, search, hash } = useLocation();
  if (signedIn) {
    // An officer has the driver's phone.
    if (isDriver && roadsideMode() !== null && pathname !== paths.eld()) return <Navigate to={paths.eld()} replace />;
    // The server refuses everything else until it is done.
    if (duty === null || pathname === paths.welcome()) return <Outlet />;
    return <Navigate to={paths.welcome(pathname + search + hash)} replace />;
  }
  // After signing out on purpose the next person starts at the front door, not where this one was.
  return <Navigate to={end === 'signed-out' ? paths.login() : paths.login(pathname + search + hash)} replace />;
}
