import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Postmaster } from './postmaster.ts';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;

/** Restarts a database that stops unexpectedly, retrying forever: an operator may free a full disk much later. */
export function keepRunning(
  first: Postmaster,
  run: () => Postmaster,
  log: Logger,
): { trouble(): string | null; stop(): Promise<void> } {
  const stopping = new AbortController();
  let postmaster = first;
  let trouble: string | null = null;

  const watch = async (): Promise<void> => {
    let delayMs = FIRST_DELAY_MS;
    for (;;) {
      await postmaster.ended;
      if (stopping.signal.aborted) return;
      trouble ??= 'The database stopped unexpectedly and is being restarted.';
      log.error({ trouble }, 'The database is not running');
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      postmaster = run();
      const reason = await postmaster.started;
      trouble = reason === null ? null : `The database does not start: ${reason}.`;
      delayMs = reason === null ? FIRST_DELAY_MS : Math.min(delayMs * 2, LONGEST_DELAY_MS);
      if (reason === null) log.info('The database is running again');
    }
  };
  const watched = watch();

  return {
    trouble: () => trouble,
    stop: async () => {
      stopping.abort();
      await postmaster.stop();
      await watched;
    },
  };
}
