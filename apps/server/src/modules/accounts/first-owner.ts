import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFirstOwner } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { NODE_RUNS } from '../../db/leader.ts';
import type { Database } from '../../db/schema.ts';
import type { Http } from '../../http/server.ts';
import { createOwner } from './accounts.ts';
import { refuseBadPassword } from './password-rules.ts';
import { tokenAnswer } from './sessions.ts';
import { callerOf, type SignIn } from './sign-in.ts';
import { createAddressLimits } from './try-limits.ts';

/** In the data folder, for who starts the server without seeing what it prints. Deleted once there is an owner. */
const LINK_FILE = 'owner-link';
/** Guessing is hopeless; this keeps the server from being busy with it. */
const TRIES_PER_ADDRESS = 20;

export interface FirstOwner {
  /** True while nobody can sign in and a link to create the owner is offered. */
  isNeeded(): Promise<boolean>;
  /**
   * If the installation has no account, returns a link to create its owner in a browser: whoever can read what the
   * server prints, or its data folder, is who runs it. Each start makes a new link. Null if there is an account.
   */
  offer(base: string): Promise<string | null>;
}

/**
 * The owner of a new installation is created in a browser, with a link that works once. Each server offers a link of its
 * own, which holds at all of them while that server runs.
 */
export function registerFirstOwner(http: Http, context: Context, signIns: SignIn): FirstOwner {
  const { bus, config, counters, db, log } = context;
  const links = createAddressLimits(counters, 'first owner', TRIES_PER_ADDRESS);
  const file = join(config.dataDir, LINK_FILE);
  /** False once there is an account, which never changes back. */
  let mayBeNeeded = false;

  const hasAccount = async (system: Kysely<Database> = db.system): Promise<boolean> =>
    (await system.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;
  const withdraw = async (): Promise<void> => {
    mayBeNeeded = false;
    await db.system.deleteFrom('first_owner_link').execute();
    await rm(file, { force: true });
  };
  const isNeeded = async (): Promise<boolean> => {
    // Also `npm run owner`, and another server, make an owner.
    if (mayBeNeeded && (await hasAccount())) await withdraw();
    return mayBeNeeded;
  };
  const isOffered = async (system: Kysely<Database>, token: string): Promise<boolean> =>
    (await system
      .selectFrom('first_owner_link')
      .select('hash')
      .where('hash', '=', sha256(token))
      .executeTakeFirst()) !== undefined;

  http.handle(createFirstOwner, async ({ body, request }) => {
    const caller = callerOf(request);
    await links.count(caller.address);
    if (!(await isNeeded()) || !(await isOffered(db.system, body.token))) throw new AppError('owner-link-over');
    await links.forgive(caller.address);
    await refuseBadPassword('password', body.password, body);
    // The link works once, also for two requests at the same time, at two servers.
    const { userId } = await db.system.transaction().execute(async trx => {
      await sql`select pg_advisory_xact_lock(hashtextextended('first owner', 0))`.execute(trx);
      if (await hasAccount(trx)) throw new AppError('owner-link-over');
      return createOwner({ system: trx }, body.userName, body.password, body.displayName);
    });
    await withdraw();
    log.info({ owner: body.userName }, 'The owner was created in a browser');
    return tokenAnswer(await signIns.forUser(userId, 'first start', caller, {}));
  });

  return {
    isNeeded,
    offer: async base => {
      if (await hasAccount()) {
        await withdraw();
        return null;
      }
      const token = randomBytes(32).toString('base64url');
      await db.system.transaction().execute(async trx => {
        // Those of servers that run no more, and what this one offered before.
        await trx
          .deleteFrom('first_owner_link')
          .where(({ eb, or }) =>
            or([
              eb('node', '=', bus.nodeId),
              sql<boolean>`not exists (
                select from node where node.id = first_owner_link.node and ${NODE_RUNS})`,
            ]),
          )
          .execute();
        await trx
          .insertInto('first_owner_link')
          .values({ hash: sha256(token), node: bus.nodeId })
          .execute();
      });
      mayBeNeeded = true;
      // Behind the `#`, so that no server logs it.
      const link = `${base}/login#owner=${token}`;
      await mkdir(config.dataDir, { recursive: true });
      await writeFile(file, `${link}\n`, { mode: 0o600 });
      log.warn({ file }, 'Nobody can sign in yet: open the link in this file to create the owner');
      return link;
    },
  };
}

const sha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest();
