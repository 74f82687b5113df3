import type { Logger } from 'pino';
import type { Signals } from '../lifecycle/signals.ts';

/** Whatever keeps in memory what sight is decided by, and reads it again. */
interface Reading {
  settled(): Promise<void>;
}

/** Cards come and go with every report; looking at thousands of subscriptions each time would cost more than it tells. */
const AT_MOST_EVERY_MS = 100;

/** Tells, account by account and not too often, that someone may see other vehicles than before. */
export function watchSight(
  signals: Signals,
  log: Logger,
  readings: readonly Reading[],
  recheck: (accountId: number) => void,
): void {
  const due = new Set<number>();
  let timer: NodeJS.Timeout | null = null;

  const look = async (): Promise<void> => {
    const accounts = [...due];
    due.clear();
    timer = null;
    await Promise.all(readings.map(reading => reading.settled()));
    for (const accountId of accounts) recheck(accountId);
  };
  const note = ({ accountId }: { readonly accountId: number }): void => {
    due.add(accountId);
    timer ??= setTimeout(() => {
      look().catch((error: unknown) => log.error({ err: error }, 'Could not recheck live subscriptions'));
    }, AT_MOST_EVERY_MS);
    timer.unref();
  };
  signals.on('vehicles-arranged', note);
  signals.on('organisation-changed', note);
  signals.on('driver-changed', note);
}
