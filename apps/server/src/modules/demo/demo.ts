import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { createAccount, createUser } from '../accounts/accounts.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { type Files, openFiles } from '../documents/files.ts';
import { addDemoDocuments } from './documents.ts';
import { DEMO_COMPANY, DEMO_FLEET, DEMO_ORGANIZATION, type DemoVehicle } from './fleet.ts';
import { addDemoGeofences } from './geofences.ts';
import { organiseDemo } from './organise.ts';
import { addDemoRules } from './rules.ts';
import { addDemoShare } from './share.ts';
import { DEMO_SIGN_IN } from './sign-in.ts';
import { addDemoTasks } from './tasks.ts';
import { DEMO_USERS, prepareControlPassword, prepareUsers } from './users.ts';

export interface Demo {
  /** The owner's, and who else has the same password; null where nobody may sign in. */
  readonly signIn: (typeof DEMO_SIGN_IN & { readonly others: readonly string[] }) | null;
  /** A session of the demo's owner for the program that drives the fleet. */
  readonly simulatorToken: string;
  /** The vehicles that it drives: not those that a user adds. */
  readonly fleet: readonly Pick<DemoVehicle, 'imei' | 'name'>[];
}

const SIMULATOR = 'Milepost demo fleet';
const YEAR_MS = 365 * 24 * 3_600_000;

/** Makes the demo's account, owner and vehicles where they are missing, and opens the simulator's session. */
export async function prepareDemo(
  mode: 'on' | 'public',
  { config, db }: Pick<Context, 'config' | 'db'>,
  sessions: Sessions,
): Promise<Demo> {
  const owner = (await findOwner(db.system)) ?? (await makeDemo(db.system, openFiles(config.dataDir)));
  await prepareUsers(db.system, { accountId: owner.account_id, isPublic: mode === 'public' });
  if (mode === 'on') await prepareControlPassword(db.system, owner.account_id, owner.id);
  // Anyone who tried second factors out has them on their telephone, and the next one hasn't.
  for (const table of ['totp', 'passkey', 'recovery_code'] as const) {
    await db.system.deleteFrom(table).where('user_id', '=', owner.id).execute();
  }
  await db.system
    .updateTable('account')
    .set({ second_factor_policy: 'optional' })
    .where('id', '=', owner.account_id)
    .execute();
  await db.system.deleteFrom('session').where('user_id', '=', owner.id).where('name', '=', SIMULATOR).execute();
  const { token } = await sessions.open({
    accountId: owner.account_id,
    userId: owner.id,
    // No session: who ends all their other sessions in a demo does not mean the fleet.
    apiToken: {
      name: SIMULATOR,
      scopes: ['vehicles.read', 'vehicles.write', 'drivers.read'],
      expiresAt: new Date(Date.now() + YEAR_MS),
    },
  });
  const fleet = DEMO_FLEET.map(({ imei, name }) => ({ imei, name }));
  if (mode === 'public') return { signIn: null, simulatorToken: token, fleet };
  const others = DEMO_USERS.map(({ userName }) => userName);
  return { signIn: { ...DEMO_SIGN_IN, others }, simulatorToken: token, fleet };
}

const findOwner = (db: Kysely<Database>) =>
  db
    .selectFrom('app_user')
    .innerJoin('account', 'account.id', 'app_user.account_id')
    .select(['app_user.id', 'app_user.account_id'])
    .where('account.demo', '=', true)
    .where('app_user.user_name', '=', DEMO_SIGN_IN.userName)
    .executeTakeFirst();

function makeDemo(db: Kysely<Database>, files: Files): Promise<{ id: string; account_id: number }> {
  return db.transaction().execute(async trx => {
    const accountId = await createAccount({ system: trx }, { name: DEMO_COMPANY, demo: true, operator: true });
    await trx
      .insertInto('vehicle')
      .values(
        // The device key is of no key: the simulator asks for one where its tracker needs it.
        DEMO_FLEET.map(vehicle => ({ ...vehicle, account_id: accountId, device_key_hash: randomBytes(32) })),
      )
      .execute();
    await organiseDemo(trx, accountId);
    await addDemoDocuments(trx, files, accountId);
    const { userName } = DEMO_SIGN_IN;
    const id = await createUser(
      { system: trx },
      { accountId, userName, displayName: 'Robin Marsh', role: 'owner', password: null },
    );
    await trx
      .insertInto('account_setting')
      .values(
        Object.entries(DEMO_ORGANIZATION).map(([name, value]) => ({
          ...{ account_id: accountId, name, value: JSON.stringify(value), changed_at: new Date(), changed_by: id },
        })),
      )
      .execute();
    await addDemoGeofences(trx, accountId, id);
    await addDemoRules(trx, accountId, id);
    await addDemoShare(trx, accountId, id);
    await addDemoTasks(trx, accountId, id, Date.now());
    return { id, account_id: accountId };
  });
}
