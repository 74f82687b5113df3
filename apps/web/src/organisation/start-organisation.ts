import { useSession } from '../app/session/session.ts';

/** Folders and departments follow the session [R4.09, R4.10]. Their code comes only once someone is signed in. */
export function startOrganisation(): void {
  const load = (): void => void import('./organisation.ts').then(({ followSession }) => followSession());
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
