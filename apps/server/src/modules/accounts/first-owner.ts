import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFirstOwner } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
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

/** The owner of a new installation is created in a browser, with a link that works once. */
export function registerFirstOwner(http: Http, context: Context, signIns: SignIn): FirstOwner {
  const { config, counters, db, log } = context;
  const links = createAddressLimits(counters, 'first owner', TRIES_PER_ADDRESS);
  const file = join(config.dataDir, LINK_FILE);
  let offered: Buffer | null = null;

  const hasAccount = async (): Promise<boolean> =>
    (await db.system.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined;
  const withdraw = async (): Promise<void> => {
    offered = null;
    await rm(file, { force: true });
  };
  const isNeeded = async (): Promise<boolean> => {
    // Also `npm run owner` makes an owner, beside the running server.
    if (offered !== null && (await hasAccount())) await withdraw();
    return offered !== null;
  };

  http.handle(createFirstOwner, async ({ body, request }) => {
    const caller = callerOf(request);
    await links.count(caller.address);
    if (!(await isNeeded()) || offered === null || !timingSafeEqual(sha256(body.token), offered)) {
      throw new AppError('owner-link-over');
    }
    await links.forgive(caller.address);
    await refuseBadPassword('password', body.password, body);
    const taken = offered;
    if (taken === null) throw new AppError('owner-link-over');
    // The link works once, also for two requests at the same time.
    offered = null;
    try {
      const { userId } = await createOwner(db, body.userName, body.password, body.displayName);
      await withdraw();
      log.info({ owner: body.userName }, 'The owner was created in a browser');
      return tokenAnswer(await signIns.forUser(userId, 'first start', caller, {}));
    } catch (error) {
      if (!(await hasAccount())) offered = taken;
      throw error;
    }
  });

  return {
    isNeeded,
    offer: async base => {
      if (await hasAccount()) {
        await withdraw();
        return null;
      }
      const token = randomBytes(32).toString('base64url');
      offered = sha256(token);
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
