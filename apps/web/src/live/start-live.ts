import { useSession } from '../app/session/session.ts';

/**
 * Live messaging follows the session [R4.06, R4.10]. Its code comes only once someone is signed in: the sign-in page
 * does without.
 */
export function startLive(): void {
  const load = (): void => void import('./live.ts').then(({ followSession }) => followSession());
  if (useSession.getState().token !== null) {
    load();
    return;
  }
  const end = useSession.subscribe(({ token }) => {
    if (token === null) return;
    end();
    load();
  });
}
