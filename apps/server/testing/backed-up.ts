import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { type AgentOptions, type BackupAgent, createBackupAgent } from '../src/backup/agent.ts';
import { type BackupKey, makeKey } from '../src/backup/key.ts';
import type { BackupPlace } from '../src/backup/place.ts';
import { DEFAULTS, writeKey, writeSettings } from '../src/backup/settings.ts';
import { type Databases, openDatabases } from '../src/db/database.ts';
import { startEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { createAccount } from '../src/modules/accounts/accounts.ts';

/** A data folder with a migrated database and a backup in a folder beside it. */
export interface BackedUp {
  readonly dataDir: string;
  readonly store: string;
  readonly place: BackupPlace;
  readonly key: BackupKey;
  readonly databases: Databases;
  readonly agent: BackupAgent;
  /** Stores one more position, in a commit of its own. */
  writePosition(): Promise<{ readonly id: string; readonly askedMs: number; readonly doneMs: number }>;
  stop(): Promise<void>;
}

export const silent = pino({ level: 'silent' });
/** Of databases whose data is only needed during the test. */
export const UNSAFE = { fsync: 'off', shared_buffers: '16MB' } as const;
const PACE = { lookEveryMs: 100, journalEveryMs: 500, isGentle: false };

export async function startBackedUp(
  scratch: string,
  name: string,
  options: Partial<Pick<AgentOptions, 'storeOf' | 'pace'>> = {},
): Promise<BackedUp> {
  const dataDir = join(scratch, name);
  const store = join(scratch, `${name}-store`);
  mkdirSync(store, { recursive: true });
  const embedded = await startEmbedded({ dataDir, log: silent, settings: UNSAFE });
  const databases = openDatabases(embedded.connection);
  await migrate(databases.pool);
  const key = makeKey();
  const place = { kind: 'folder', folder: store } as const;
  await writeKey(dataDir, key);
  await writeSettings(dataDir, { ...DEFAULTS, place });
  mkdirSync(join(dataDir, 'documents'), { recursive: true });
  writeFileSync(join(dataDir, 'documents', 'first'), 'the first document');
  mkdirSync(join(dataDir, 'compiled'));
  writeFileSync(join(dataDir, 'compiled', 'main.ts'), 'what Node compiled');
  const agent = createBackupAgent({
    config: { dataDir, databaseUrl: null, version: '0.0.0-test' },
    pool: databases.pool,
    log: silent,
    pace: PACE,
    trialSettings: UNSAFE,
    ...options,
  });
  const accountId = await createAccount(databases, { name });
  const { rows } = await databases.pool.query<{ id: number }>(
    `insert into vehicle (account_id, name, imei, device_key_hash) values ($1, 'One', '352093081452251', '\\x00') returning id`,
    [accountId],
  );
  await databases.pool.query(
    `create table position_2020 partition of position for values from ('2020-01-01') to ('2021-01-01')`,
  );
  let written = 0;
  return {
    ...{ dataDir, store, place, key, databases, agent },
    writePosition: async () => {
      const fixAt = new Date(Date.UTC(2020, 5, 1) + ++written * 1000);
      const askedMs = Date.now();
      await databases.pool.query(
        `insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, speed, course, valid, late, protocol, attributes)
          values ($1, $2, $3, now(), 41.9, -87.6, 12.5, 90, true, false, 'teltonika', '{}')`,
        [accountId, rows[0]?.id, fixAt],
      );
      return { id: fixAt.toISOString(), askedMs, doneMs: Date.now() };
    },
    stop: async () => {
      await agent.stop();
      await databases.close();
      await embedded.stop();
    },
  };
}
