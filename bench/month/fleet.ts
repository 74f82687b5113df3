import { type Databases, openDatabases } from '../../apps/server/src/db/database.ts';
import { hashDeviceKey } from '../../apps/server/src/fleet/device-key.ts';
import { createAccount } from '../../apps/server/src/modules/accounts/accounts.ts';
import { newSecrets } from '../../apps/server/src/modules/accounts/sessions.ts';
import { testImei } from '../../apps/server/testing/imei.ts';
import type { DoomedServer } from '../crash/doomed-server.ts';
import type { Story } from './story.ts';

export const RULE_SETS = ['US_PROPERTY_70_8', 'US_PROPERTY_60_7', 'CA_SOUTH_CYCLE1_70_7'] as const;
export const ruleSetOf = (driver: number) => RULE_SETS[driver % RULE_SETS.length] ?? RULE_SETS[0];

/** The rows of a story's drivers and vehicles, by their numbers in it. */
export interface MonthFleet {
  readonly accountId: number;
  readonly drivers: readonly { readonly id: number; readonly token: string }[];
  readonly vehicles: readonly { readonly id: number; readonly imei: string }[];
}

const SESSION_MS = 400 * 86_400_000;

export async function withDatabase<T>(server: DoomedServer, work: (db: Databases) => Promise<T>): Promise<T> {
  const db = openDatabases({ connectionString: server.databaseUrl() });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

export async function addFleet(db: Databases, { drivers, vehicles }: Story): Promise<MonthFleet> {
  const accountId = await createAccount(db, { name: 'A month' });
  const of = { account_id: accountId };
  const numbers = (count: number) => Array.from({ length: count }, (_, nth) => nth);
  const secrets = numbers(drivers).map(() => newSecrets(''));
  const users = await db.system
    .insertInto('app_user')
    .values(
      numbers(drivers).map(nth => ({
        ...{ ...of, user_name: `month-${accountId}-${nth}`, display_name: `Driver ${nth}`, role: 'driver' as const },
        password_hash: null,
      })),
    )
    .returning('id')
    .execute();
  await db.system
    .insertInto('session')
    .values(
      users.map(({ id }, nth) => ({
        ...{ ...of, user_id: id, kind: 'browser' as const, ...secrets[nth]?.hashes },
        expires_at: new Date(Date.now() + SESSION_MS),
      })) as never,
    )
    .execute();
  const rows = await db.system
    .insertInto('driver')
    .values(users.map(({ id }, nth) => ({ ...of, name: `Driver ${nth}`, user_id: id })))
    .returning('id')
    .execute();
  await db.system
    .insertInto('log_setting')
    .values(
      rows.map(({ id }, nth) => ({
        ...{ ...of, driver_id: id, keeps_log: true, personal_use: true, yard_moves: true },
        rule_set: ruleSetOf(nth),
      })),
    )
    .execute();
  const imeis = numbers(vehicles).map(nth => testImei(880_000 + accountId * 1000 + nth));
  const added = await db.system
    .insertInto('vehicle')
    .values(imeis.map((imei, nth) => ({ ...of, imei, name: `Unit ${nth}`, device_key_hash: hashDeviceKey('a key') })))
    .returning('id')
    .execute();
  return {
    accountId,
    drivers: rows.map(({ id }, nth) => ({ id, token: secrets[nth]?.token ?? '' })),
    vehicles: added.map(({ id }, nth) => ({ id, imei: imeis[nth] ?? '' })),
  };
}
