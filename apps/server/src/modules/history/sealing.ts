import type { Context } from '../../context.ts';
import { KeptDays } from '../../tracks/kept-days.ts';
import { type Sealing, sealOldDays } from '../../tracks/seal.ts';
import type { Workers } from '../../workers/workers.ts';

/** The server's own work. */
const NO_ACCOUNT = 0;
const EVERY_SECONDS = 300;
/** A tenth of the time, so that even a long backlog takes no more than a tenth of a core. */
const WITHIN_MS = 30_000;

/** Packs past days of positions. `stop` waits for the day that is being packed. */
export function openSealing(
  { config, db, log, jobs }: Pick<Context, 'config' | 'db' | 'log' | 'jobs'>,
  workers: Workers,
): { stop(): void } {
  let isStopped = false;
  const sealing: Sealing = {
    pool: db.pool,
    log: log.child({ part: 'tracks' }),
    pack: rows => workers.run(NO_ACCOUNT, 'packDay', rows),
    afterDays: config.sealAfterDays,
    withinMs: WITHIN_MS,
    isStopped: () => isStopped,
    keptDays: new KeptDays(),
  };
  jobs.repeat({
    name: 'seal-days',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      const sealed = await sealOldDays(sealing);
      if (sealed.days > 0) log.info(sealed, 'Packed days of positions');
    },
  });
  return {
    stop: () => {
      isStopped = true;
    },
  };
}
