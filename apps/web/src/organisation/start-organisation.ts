import { onceSignedIn } from '../app/session/once-signed-in.ts';

/** Folders and departments follow the session [R4.09, R4.10]. */
export const startOrganisation = (): void =>
  onceSignedIn(() => void import('./organisation.ts').then(({ followSession }) => followSession()));
