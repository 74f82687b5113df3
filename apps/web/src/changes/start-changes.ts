import { onceSignedIn } from '../app/session/once-signed-in.ts';

/** What others change is seen while somebody is signed in. */
export const startChanges = (): void =>
  onceSignedIn(() => void import('./follow-changes.ts').then(({ followChanges }) => followChanges()));
