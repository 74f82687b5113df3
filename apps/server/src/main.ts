import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { App } from './app.ts';
import type { Config, DatabaseConnection } from './config/config.ts';
import { decide } from './config/decide.ts';
import { readEnvironment } from './config/env.ts';
import { readVersion } from './config/version.ts';
import { readMigrations } from './db/migrate.ts';
import { claimDatabase, type DatabaseClaim } from './db/one-server.ts';
import { type DatabaseServer, openDatabaseServer } from './db/open.ts';
import { notifyLauncher } from './lifecycle/launcher.ts';
import { listenFailure } from './lifecycle/listening.ts';
import { createLog } from './lifecycle/log.ts';
import { StartupError } from './lifecycle/startup-error.ts';

const decision = decide(readEnvironment(), readVersion());
if ('problems' in decision) {
  refuse(decision.problems);
} else {
  await run(decision.config);
}

async function run(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  let database: DatabaseServer | null = null;
  let claim: DatabaseClaim | null = null;
  let app: App | null = null;

  const stop = async (): Promise<void> => {
    await app?.stop();
    await claim?.release();
    await database?.stop();
  };

  const starting = (async () => {
    database = await openDatabaseServer(config, log);
    // Takes seconds to load: what is wrong with the configuration, the folder or the database is said before.
    const { createApp } = await import('./app.ts');
    claim = await claimDatabase(database.connection, {
      log,
      onTaken: () => void stop().finally(() => process.exit(1)),
      isShared: config.natsUrl !== null,
    });
    if (config.natsUrl !== null) await refuseBesideOthers(database.connection, claim);
    app = await createApp(config, database.connection, log, database.trouble);
    await claim.share();
    await app.start();
    return app;
  })();

  let stopping = 0;
  const stopAndExit = async (why: string): Promise<void> => {
    // Ctrl-C reaches us more than once: from the terminal, and from each program above us that passes it on.
    if (stopping > 0) {
      if (Date.now() - stopping > 1500) process.exit(1);
      return;
    }
    stopping = Date.now();
    log.info(`Stopping (${why})`);
    await starting.catch(() => {});
    await stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAndExit(signal));
  // The launcher is gone, be it that it was killed: nobody is left to stop us.
  process.on('disconnect', () => void stopAndExit('the launcher ended'));

  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'Stopping after an unhandled error');
    void Promise.race([stop(), sleep(10_000)]).finally(() => process.exit(1));
  });

  try {
    const { url, demo, ownerLink, trackerPorts } = await starting;
    log.info({ url }, 'Milepost is ready');
    notifyLauncher({ type: 'ready', url, demo, ownerLink, trackerPorts: Object.fromEntries(trackerPorts) });
  } catch (error) {
    await stop();
    const reason = listenFailure(error, config) ?? error;
    if (reason instanceof StartupError) refuse([reason.message]);
    else log.fatal({ err: reason }, 'Milepost could not start');
    process.exit(1);
  }
}

/** Running servers can't work on data after a migration that does more than add to it. */
async function refuseBesideOthers(connection: DatabaseConnection, claim: DatabaseClaim): Promise<void> {
  const pool = new Pool({ ...connection, max: 1 });
  try {
    const { applied, missing, notAdditive } = await readMigrations(pool);
    // An empty database: whoever else starts on it has nothing that could break.
    if (applied.length === 0) return;
    const changing = notAdditive.filter(name => missing.includes(name));
    if (changing.length === 0 || (await claim.takeAlone())) return;
    throw new StartupError(
      `This version changes the database in a way that the servers that run on it can’t work with (${changing.join(', ')}). Stop all of them, then start this version.`,
    );
  } finally {
    await pool.end();
  }
}

function refuse(sentences: readonly string[]): void {
  process.stderr.write(`Milepost can’t start:\n${sentences.map(sentence => `  • ${sentence}\n`).join('')}`);
  process.exitCode = 1;
}
