import type { Context } from '../context.ts';
import type { Change } from '../feed/change-feed.ts';

const RETRY_MS = 1000;

interface Rereads {
  /** For the log: "Could not read …". */
  readonly what: string;
  readonly concerns: (change: Pick<Change, 'accountId' | 'kind'>) => boolean;
  /** Reads these accounts into memory. */
  readonly read: (accountIds: readonly number[]) => Promise<void>;
}

/**
 * Rereads what is in memory about accounts once the change feed says that it changed: one read at a time, and again if
 * it failed. `settled` resolves when all changes until now have been read.
 */
export function rereadOnChange(
  { feed, log }: Pick<Context, 'feed' | 'log'>,
  { concerns, read, what }: Rereads,
): { settled(): Promise<void> } {
  const stale = new Set<number>();
  let reading: Promise<void> = Promise.resolve();
  let isReading = false;
  const readStale = async (): Promise<void> => {
    isReading = true;
    try {
      while (stale.size > 0) {
        const ids = [...stale];
        stale.clear();
        await read(ids).catch((error: unknown) => {
          for (const id of ids) stale.add(id);
          throw error;
        });
      }
    } catch (error) {
      log.warn({ err: error }, `Could not read ${what}; retrying`);
      setTimeout(startReading, RETRY_MS).unref();
    } finally {
      isReading = false;
    }
  };
  const startReading = (): void => {
    if (!isReading) reading = readStale();
  };
  feed.follow('memory', changes => {
    const changed = changes.filter(concerns);
    if (changed.length === 0) return;
    for (const { accountId } of changed) stale.add(accountId);
    startReading();
    return reading;
  });
  return { settled: () => reading };
}
