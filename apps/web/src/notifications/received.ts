import type { ReceivedAlerts } from '@milepost/contract';

/** What the days say: right away today, waiting for a digest and until when, and all of them. */
export function receivedIn(received: readonly ReceivedAlerts[], today: string) {
  const waiting = received.filter(({ digestAt }) => digestAt !== null);
  return {
    alerts: received.find(({ day }) => day === today)?.alerts ?? 0,
    beyond: waiting.reduce((sum, { beyond }) => sum + beyond, 0),
    digestAt: waiting[0]?.digestAt ?? null,
    week: received.reduce((sum, { alerts, beyond }) => sum + alerts + beyond, 0),
  };
}
