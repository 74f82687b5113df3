import { onceSignedIn } from '../app/session/once-signed-in.ts';

/** Watches alerts while a user is signed in. */
export const startAlerts = (): void =>
  onceSignedIn(() => void import('./watch-alerts.ts').then(({ watchAlerts }) => watchAlerts()));
