import { useSession } from './session.ts';

/** Runs when somebody is signed in, at once or later, and once: code that only they need comes no earlier. */
export function onceSignedIn(run: () => void): void {
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
