import { randomBytes } from 'node:crypto';
import type { PositionMessage } from '@milepost/decoders';
import { celsius, degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import type { Context } from '../src/context.ts';
import { hashDeviceKey } from '../src/fleet/device-key.ts';
import { type LiveStates, loadLiveStates } from '../src/fleet/live.ts';
import type { PrivateTime } from '../src/fleet/private-time.ts';
import type { Change } from '../src/ingest/change.ts';
import { type CommitHook, NO_COMMIT_HOOK } from '../src/ingest/commit-hook.ts';
import { createIngestMetrics } from '../src/ingest/metrics.ts';
import { createPipeline, type Pipeline } from '../src/ingest/pipeline.ts';
import { NO_TRACES } from '../src/ingest/traces.ts';
import { createAccount } from '../src/modules/accounts/accounts.ts';
import { keepPartitions, type PartitionManager } from '../src/tracks/partitions.ts';
import { testContext } from './context.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { testImei } from './imei.ts';

export const DEVICE_KEY = 'a key for tests';

/** A report as a decoder returns it. */
export function positionMessage(timeMs: number, fields: Partial<PositionMessage> = {}): PositionMessage {
  return {
    kind: 'position',
    time: epochMs(timeMs),
    valid: true,
    lat: degrees(41.9),
    lon: degrees(-87.68),
    speed: metresPerSecond(12),
    course: degrees(90),
    altitude: metres(180),
    satellites: 11,
    hdop: 0.9,
    ignition: true,
    odometer: metres(1_234_567),
    fuel: percent(64.5),
    temperature: celsius(-18.5),
    gsm: 21,
    event: null,
    rfid: null,
    attributes: { externalVoltage: 12.6 },
    ...fields,
  };
}

export interface TestVehicle {
  readonly id: number;
  readonly accountId: number;
  readonly imei: string;
}

let made = 0;

/** A vehicle whose tracker signs in with `DEVICE_KEY`, in a new account unless one is given. */
export async function addVehicle(context: Context, accountId?: number): Promise<TestVehicle> {
  const imei = testImei(++made * 1000 + (randomBytes(2).readUInt16BE() % 1000));
  const owner = accountId ?? (await createAccount(context.db, { name: `Account of ${imei}` }));
  const { id } = await context.db.system
    .insertInto('vehicle')
    .values({ account_id: owner, imei, name: `Unit ${imei}`, device_key_hash: hashDeviceKey(DEVICE_KEY) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await context.feed.settled();
  return { id, accountId: owner, imei };
}

/** Of an account without private time. */
export const NO_PRIVATE_TIME: PrivateTime = {
  hides: () => false,
  times: () => [],
  isUsed: () => false,
  hasLog: () => false,
  hidesPersonalUse: () => false,
  allowsDrives: () => false,
  driveOf: () => null,
  settled: async () => {},
};

export interface TestPipeline {
  readonly database: TestDatabase;
  readonly context: Context;
  readonly live: LiveStates;
  readonly pipeline: Pipeline;
  readonly partitions: PartitionManager;
  /** Every change that was published, oldest first. */
  readonly published: readonly Change[];
  /** The live states reread from the database, as after a restart. */
  reloaded(): Promise<LiveStates>;
  close(): Promise<void>;
}

/** The pipeline with its own database. */
export async function startPipeline(
  commitHookOf: (context: Context, live: LiveStates) => Promise<CommitHook> = async () => NO_COMMIT_HOOK,
  privateTime: Pick<PrivateTime, 'hides' | 'isUsed'> = NO_PRIVATE_TIME,
): Promise<TestPipeline> {
  const database = await testDatabase();
  const context = testContext(database.databases);
  const { db, log } = context;
  const live = await loadLiveStates(db.system);
  const partitions = await keepPartitions(db.pool, log);
  const published: Change[] = [];
  const pipeline = createPipeline({
    pool: db.pool,
    log,
    live,
    partitions,
    metrics: createIngestMetrics(context.metrics),
    privateTime,
    commitHook: await commitHookOf(context, live),
    traces: NO_TRACES,
    publish: async changes => void published.push(...changes),
  });
  return {
    database,
    context,
    live,
    pipeline,
    partitions,
    published,
    reloaded: () => loadLiveStates(db.system),
    close: async () => {
      await pipeline.stop(1000);
      partitions.stop();
      await database.close();
    },
  };
}

/** The value of a counter or gauge, over all its labels. */
export async function metric(context: Context, name: string): Promise<number> {
  const { values } = (await context.metrics.getSingleMetric(name)?.get()) ?? { values: [] };
  return values.reduce((sum, { value }) => sum + value, 0);
}
