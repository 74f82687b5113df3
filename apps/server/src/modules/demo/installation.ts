import type { Kysely } from 'kysely';
import type { Config } from '../../config/config.ts';
import { isLoopback, openDemoSentence } from '../../config/decide.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { StartupError } from '../../lifecycle/startup-error.ts';

/**
 * Decides whether this is a demo, and writes down for good which kind of system the database holds: a demo never turns
 * into a real fleet's system, because its password is public, and a real system never gets a demo account.
 */
export async function decideDemo(
  db: Kysely<Database>,
  config: Pick<Config, 'demo' | 'http' | 'databaseUrl'> & Partial<Pick<Config, 'natsUrl'>>,
): Promise<Context['demo']> {
  const kind = (await db.selectFrom('installation').select('kind').executeTakeFirst())?.kind ?? null;
  const empty = !(await db.selectFrom('account').select('id').limit(1).executeTakeFirst());
  const demo = demoOf(config, kind ?? (empty ? null : 'own'));
  if (demo !== 'off' && config.natsUrl) {
    throw new StartupError(
      'The database holds the demo, which runs on one server: unset NATS_URL. For your own fleet, point DATABASE_URL to an empty database.',
    );
  }
  if (kind === null) {
    await db
      .insertInto('installation')
      .values({ kind: demo === 'off' ? 'own' : 'demo' })
      .execute();
  }
  return demo;
}

function demoOf(config: Pick<Config, 'demo' | 'http' | 'databaseUrl'>, kind: 'demo' | 'own' | null): Context['demo'] {
  switch (config.demo) {
    case 'off':
      if (kind === 'demo') {
        throw new StartupError(
          'DEMO is off, but the database holds the demo, whose password is public. To run your own fleet, point DATA_DIR (or DATABASE_URL) to an empty location.',
        );
      }
      return 'off';
    case 'on':
    case 'public':
      if (kind === 'own') {
        throw new StartupError(
          `DEMO is ${config.demo}, and the database holds a system of your own. Unset DEMO, or set DATA_DIR to an empty folder for a demo.`,
        );
      }
      return config.demo;
    case 'auto': {
      const demo = kind === 'demo' || (kind === null && config.databaseUrl === null);
      if (demo && !isLoopback(config.http.host)) throw new StartupError(openDemoSentence(config.http.host));
      return demo ? 'on' : 'off';
    }
  }
}
