import { onceSignedIn } from '../app/session/once-signed-in.ts';

/** The sockets follow the session [R4.08, R4.10], and the page what others change. */
export const startSockets = (): void =>
  onceSignedIn(() => void import('./follow-changes.ts').then(({ followSession }) => followSession()));
