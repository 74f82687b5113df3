import { loadChunk } from '../base/chunks/load-chunk.ts';
import { useSession } from '../base/session/session.ts';

/** Starts what runs during a session [R4.06, R4.08, R4.09, R4.10]. This code loads only once a user is signed in. */
export const startSignedIn = (): void =>
  onceSignedIn(() => {
    void loadChunk(() => import('../live/live.ts')).then(({ followSession }) => followSession());
    void loadChunk(() => import('../changes/follow-changes.ts')).then(({ followSession }) => followSession());
    void loadChunk(() => import('../alerts/watch-alerts.ts')).then(({ watchAlerts }) => watchAlerts());
    void loadChunk(() => import('../organisation/organisation.ts')).then(({ followSession }) => followSession());
  });

/** Runs once, as soon as a user is signed in. */
function onceSignedIn(run: () => void): void {
  if (useSession.getState().token !== null) {
    run();
    return;
  }
  const end = useSession.subscribe(({ token }) => {
    if (token === null) return;
    end();
    run();
  });
}
