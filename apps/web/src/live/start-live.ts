import { onceSignedIn } from '../app/session/once-signed-in.ts';

/** Live messaging follows the session [R4.06, R4.10]. */
export const startLive = (): void =>
  onceSignedIn(() => void import('./live.ts').then(({ followSession }) => followSession()));
