import { may } from '@milepost/contract';
import { Navigate, Outlet, useLocation } from 'react-router';
import { paths } from '../../paths.ts';
import { roadsideMode } from './roadside-lock.ts';
import { useSession } from './session.ts';

/**
 * Its pages need a signed-in user [R5.01]. Others go to the sign-in page, and back here once they have signed in
 * [R2.18].
 */
export function RequireSession() {
  const signedIn = useSession(session => session.token !== null);
  const duty = useSession(session => session.me?.duty ?? null);
  const ownLog = useSession(({ me }) => {
    if (me?.role === 'driver') return paths.eld();
    return me !== null && may(me, 'logbook.own') ? paths.eldOwn() : null;
  });
  const end = useSession(session => session.end);
  const { pathname, search, hash } = useLocation();
  if (signedIn) {
    // Roadside mode: an officer has the driver's phone, so only the log may open.
    if (ownLog !== null && roadsideMode() !== null && pathname !== ownLog) return <Navigate to={ownLog} replace />;
    // The user has a step to complete first; until then the server refuses everything else.
    if (duty === null || pathname === paths.welcome()) return <Outlet />;
    return <Navigate to={paths.welcome(pathname + search + hash)} replace />;
  }
  // After a deliberate sign-out, the next user starts at the start page, not on this one.
  return <Navigate to={end === 'signed-out' ? paths.login() : paths.login(pathname + search + hash)} replace />;
}
