import { randomUUID } from 'node:crypto';
import type { PositionMessage } from '@milepost/decoders';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itHolds } from '../../testing/few-and-many.ts';
import {
  addVehicle,
  NO_PRIVATE_TIME,
  positionMessage,
  startPipeline,
  type TestPipeline,
  type TestVehicle,
} from '../../testing/ingest.ts';
import type { Context } from '../context.ts';
import { openNodes } from '../db/nodes.ts';
import { AS_BUILT } from '../fleet/built-in-alerts.ts';
import { type LiveStates, loadLiveStates, readLiveStates } from '../fleet/live.ts';
import { loadStates } from '../modules/alerts/states.ts';
import { TrackerAlerts } from '../modules/alerts/tracker-alerts.ts';
import { createIngestMetrics } from './metrics.ts';
import { beginFenced, FencedOwners } from './owners.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { NO_TRACES } from './traces.ts';

/** Several nodes that take reports of the same vehicles, on one database, against a single one. */

interface PipelineOfNode {
  readonly pipeline: Pipeline;
  readonly live: LiveStates;
  readonly owners: FencedOwners;
  /** Between what is known and what is written. */
  beforeWriting: () => Promise<void>;
  leave(): Promise<void>;
  /** From now on the others don't see it. */
  hang(): Promise<void>;
}

const alertsFor = async ({ db }: Context) =>
  new TrackerAlerts(
    db.pool,
    { driverOf: () => null, changed: () => {}, builtIns: AS_BUILT },
    await loadStates(db.pool, 'all', null),
  );

let alone: TestPipeline;
let shared: TestPipeline;
const nodes: PipelineOfNode[] = [];
beforeAll(async () => {
  alone = await startPipeline(alertsFor);
  shared = await startPipeline(alertsFor);
  for (let n = 0; n < 2; n++) nodes.push(await startNode());
});
afterAll(async () => {
  for (const { leave, pipeline } of nodes) {
    await pipeline.stop(1000);
    await leave();
  }
  await shared.close();
  await alone.close();
});

async function startNode(): Promise<PipelineOfNode> {
  const { context, partitions } = shared;
  const { db, log } = context;
  const id = randomUUID();
  const registered = openNodes(db, { id, version: '1.0.0', log });
  await registered.enter(() => 'http://node');
  const live = await loadLiveStates(db.system);
  const commitHook = await alertsFor(context);
  const owners = new FencedOwners(db.pool, id);
  const tookOver = async (vehicleIds: readonly number[]): Promise<void> => {
    for (const { accountId, vehicleId, state } of await readLiveStates(db.system, vehicleIds)) {
      live.set(accountId, vehicleId, state);
    }
    await commitHook.reread(vehicleIds);
  };
  const pipeline = createPipeline({
    ...{ commitHook, live, log, pool: db.pool, privateTime: NO_PRIVATE_TIME, traces: NO_TRACES },
    partitions: {
      ...partitions,
      cover: async rows => {
        await partitions.cover(rows);
        await node.beforeWriting();
      },
    },
    metrics: createIngestMetrics(new Registry()),
    publish: async () => {},
    sharing: { owners, tookOver },
  });
  const node: PipelineOfNode = {
    ...{ pipeline, live, owners },
    beforeWriting: async () => {},
    leave: () => registered.leave(),
    hang: async () => {
      const row = await db.system.selectFrom('node').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      await registered.leave();
      await db.pool.query(
        `insert into node (id, version, address, seen_at, fence, lock_key) overriding system value
        values ($1, $2, '', now() - interval '1 minute', $3, $4)`,
        [id, row.version, row.fence, row.lock_key],
      );
    },
  };
  return node;
}

const T = Date.now() - 3_600_000;
const RECEIVED = epochMs(T + 3_000_000);

interface Said {
  readonly node: number;
  readonly vehicle: number;
  /** In tens of seconds; out of order, late and repeated ones, too. */
  readonly at: number;
}

const said: fc.Arbitrary<Said> = fc.record({ node: fc.nat(1), vehicle: fc.nat(2), at: fc.nat(40) });

/** Whoever repeats a report says the same again. Every seventh jumps as no vehicle can, every fifth alerts. */
const positionOf = ({ at }: Said): PositionMessage =>
  positionMessage(T + at * 10_000, {
    lat: degrees(41.9 + at * 0.001 + (at % 7 === 3 ? 3 : 0)),
    speed: metresPerSecond(at % 9 < 5 ? 11 : 0),
    ignition: at % 9 < 5,
    event: at % 5 === 2 ? 'sos' : at % 11 === 6 ? 'powerCut' : null,
  });

async function storedOf({ context, reloaded }: TestPipeline, vehicles: readonly TestVehicle[]) {
  const { system } = context.db;
  const ids = vehicles.map(({ id }) => id);
  const numberOf = (id: number | null): number => ids.indexOf(id ?? -1);
  const positions = await system
    .selectFrom('position')
    .select(['vehicle_id', 'fix_at', 'late', 'doubts', 'event'])
    .where('vehicle_id', 'in', ids)
    .orderBy('vehicle_id')
    .orderBy('fix_at')
    .execute();
  const alerts = await system
    .selectFrom('alert')
    .select(['vehicle_id', 'kind', 'opened_at', 'updated_at', 'closed_at', 'count', 'late'])
    .where('vehicle_id', 'in', ids)
    .orderBy('vehicle_id')
    .orderBy('kind')
    .orderBy('opened_at')
    .execute();
  const live = await reloaded();
  return {
    positions: positions.map(row => ({ ...row, vehicle_id: numberOf(row.vehicle_id) })),
    alerts: alerts.map(row => ({ ...row, vehicle_id: numberOf(row.vehicle_id) })),
    states: ids.map(id => live.of(id)),
  };
}

const threeVehicles = async ({ context }: TestPipeline): Promise<readonly TestVehicle[]> => [
  await addVehicle(context),
  await addVehicle(context),
  await addVehicle(context),
];

itHolds(
  'history, states and alerts are those of one node, whichever node gets which report',
  { few: 6, many: 150 },
  async numRuns => {
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 4, maxLength: 30 }), async story => {
        const [ofOne, ofTwo] = [await threeVehicles(alone), await threeVehicles(shared)];
        // The reports of a vehicle come one after the other, those of several vehicles at once.
        const tell = (vehicles: readonly TestVehicle[], pipelineOf: (one: Said) => Pipeline) =>
          Promise.all(
            vehicles.map(async (vehicle, number) => {
              for (const each of story.filter(one => one.vehicle === number)) {
                await pipelineOf(each).accept(vehicle, [positionOf(each)], 'teltonika', RECEIVED);
              }
            }),
          );
        await tell(ofOne, () => alone.pipeline);
        await tell(ofTwo, ({ node }) => (nodes[node] as PipelineOfNode).pipeline);
        expect(await storedOf(shared, ofTwo)).toEqual(await storedOf(alone, ofOne));
      }),
      { numRuns },
    );
  },
);

it('lets nobody take a vehicle over while something of it is being written', async () => {
  const vehicle = await addVehicle(shared.context);
  const [one, two] = nodes as [PipelineOfNode, PipelineOfNode];
  const { pool } = shared.context.db;
  const fence = await one.owners.own([vehicle.id], async () => {});
  const writer = await pool.connect();
  await writer.query(beginFenced(fence));
  let isTaken = false;
  const taking = two.owners.own([vehicle.id], async ids => {
    expect(ids).toEqual([vehicle.id]);
    isTaken = true;
  });
  // The other waits for the lock; nothing else asks for it.
  await expect
    .poll(async () => (await pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount)
    .toBe(1);
  expect(isTaken).toBe(false);
  await writer.query('commit');
  await taking;
  expect(isTaken).toBe(true);
  // Whatever the first still believes, nothing is written by it.
  await expect(writer.query(beginFenced(fence))).rejects.toMatchObject({ code: 'MP001' });
  writer.release(true);
  // It learns that it lost the vehicle, and takes it back.
  const lost: number[] = [];
  one.owners.lookAgain();
  await one.owners.own([vehicle.id], async ids => void lost.push(...ids));
  expect(lost).toEqual([vehicle.id]);
});

it('a node that hangs between reading a vehicle’s state and writing it stores nothing by what it knew', async () => {
  const vehicle = await addVehicle(shared.context);
  const [one, two] = nodes as [PipelineOfNode, PipelineOfNode];
  const report = ({ pipeline }: PipelineOfNode, seconds: number) =>
    pipeline.accept(vehicle, [positionMessage(T + seconds * 1000)], 'teltonika', RECEIVED);
  await report(one, 0);
  const hung = Promise.withResolvers<void>();
  const isHanging = Promise.withResolvers<void>();
  one.beforeWriting = () => {
    isHanging.resolve();
    return hung.promise;
  };
  const late = report(one, 10);
  await isHanging.promise;
  one.beforeWriting = async () => {};
  await report(two, 20);
  hung.resolve();
  await late;
  const rows = await shared.context.db.system
    .selectFrom('position')
    .select(['fix_at', 'late'])
    .where('vehicle_id', '=', vehicle.id)
    .orderBy('fix_at')
    .execute();
  expect(rows.map(({ fix_at, late }) => [(fix_at.getTime() - T) / 1000, late])).toEqual([
    [0, false],
    [10, true],
    [20, false],
  ]);
  const [stored] = await readLiveStates(shared.context.db.system, [vehicle.id]);
  expect(stored?.state.newest?.fixAt).toBe(T + 20_000);
});

it('does not wait for a writer of a node that is gone, whose connection is still there', {
  timeout: 60_000,
}, async () => {
  const vehicle = await addVehicle(shared.context);
  const [, two] = nodes as [PipelineOfNode, PipelineOfNode];
  const { pool } = shared.context.db;
  const gone = await startNode();
  const writer = await pool.connect();
  writer.on('error', () => {});
  await writer.query(beginFenced(await gone.owners.own([vehicle.id], async () => {})));
  await gone.hang();
  await two.pipeline.accept(vehicle, [positionMessage(T)], 'teltonika', RECEIVED);
  await expect(writer.query('commit')).rejects.toThrow();
  writer.release(true);
});

it('takes over what a node that was killed has left, and stores nothing for a vehicle that is deleted', async () => {
  const [one, two] = nodes as [PipelineOfNode, PipelineOfNode];
  const vehicle = await addVehicle(shared.context);
  const killed = new FencedOwners(shared.context.db.pool, randomUUID());
  await expect(killed.own([vehicle.id], async () => {})).rejects.toThrow('not registered');
  await one.owners.own([vehicle.id], async () => {});
  await shared.context.db.system.deleteFrom('vehicle').where('id', '=', vehicle.id).execute();
  const accepted = two.pipeline.accept(vehicle, [positionMessage(T)], 'teltonika', RECEIVED);
  await expect(accepted).rejects.toThrow('removed-vehicle');
});
