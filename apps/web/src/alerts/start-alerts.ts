import { onceSignedIn } from '../app/session/once-signed-in.ts';

/** Alerts are watched while somebody is signed in. */
export const startAlerts = (): void =>
  onceSignedIn(() => void import('./watch-alerts.ts').then(({ watchAlerts }) => watchAlerts()));
