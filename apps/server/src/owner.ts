import type { Kysely } from 'kysely';
import type { Config } from './config/config.ts';
import { decide } from './config/decide.ts';
import { readEnvironment } from './config/env.ts';
import { readVersion } from './config/version.ts';
import { openDatabases } from './db/database.ts';
import { connectionToRunning } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { openDatabaseServer } from './db/open.ts';
import type { Database } from './db/schema.ts';
import { askPassword, makePassword } from './lifecycle/ask-password.ts';
import { FolderInUse } from './lifecycle/claim.ts';
import { createLog } from './lifecycle/log.ts';
import { StartupError } from './lifecycle/startup-error.ts';
import { createOwner, OwnerError } from './modules/accounts/accounts.ts';

/** `npm run owner -- NAME`: makes an owner or gives them a new password, beside a running server or without one. */

const [name] = process.argv.slice(2);
try {
  if (!name) throw new StartupError('Enter the owner’s user name: npm run owner -- NAME');
  const decision = decide(readEnvironment(), readVersion());
  if ('problems' in decision) throw new StartupError(decision.problems.join('\n'));
  const typed = await askPassword();
  const password = typed ?? makePassword();
  const { created } = await withDatabase(decision.config, async db => {
    await refuseDemo(db);
    return createOwner({ system: db }, name, password);
  });
  console.log(
    created
      ? `${name} is now an owner.`
      : `${name} has a new password and no second factor, and is signed out everywhere.`,
  );
  if (typed === null) console.log(`Password: ${password}`);
  process.exit(0);
} catch (error) {
  if (!(error instanceof StartupError) && !(error instanceof OwnerError)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function withDatabase<T>(config: Config, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  const log = createLog('error');
  const server = await openDatabaseServer(config, log).catch(async error => {
    const running = error instanceof FolderInUse ? await connectionToRunning(config.dataDir) : null;
    if (!running) throw error;
    return { connection: running, stop: async () => {} };
  });
  const databases = openDatabases(server.connection);
  try {
    await migrate(databases.pool);
    return await work(databases.system);
  } finally {
    await databases.close();
    await server.stop();
  }
}

async function refuseDemo(db: Kysely<Database>): Promise<void> {
  const installation = await db.selectFrom('installation').select('kind').executeTakeFirst();
  if (installation?.kind === 'demo') {
    throw new StartupError(
      'This database holds the demo. To run your own fleet, point DATA_DIR (or DATABASE_URL) to an empty location.',
    );
  }
  if (!installation) await db.insertInto('installation').values({ kind: 'own' }).execute();
}
