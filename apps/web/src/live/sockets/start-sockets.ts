import { onceSignedIn } from '../../app/session/once-signed-in.ts';

/** The sockets follow the session [R4.08, R4.10]. */
export const startSockets = (): void =>
  onceSignedIn(() => void import('./sockets.ts').then(({ followSession }) => followSession()));
