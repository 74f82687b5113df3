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
import { FencedOwners } from './owners.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { NO_TRACES } from './traces.ts';

/** Several nodes that take reports of the same vehicles, on one database, against a single one. */

interface PipelineOfNode {
  readonly pipeline: Pipeline;
  readonly live: LiveStates;
  readonly owners: FencedOwners;
  leave(): Promise<void>;
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
    ...{ commitHook, live, log, partitions, pool: db.pool, privateTime: NO_PRIVATE_TIME, traces: NO_TRACES },
    metrics: createIngestMetrics(new Registry()),
    publish: async () => {},
    sharing: { owners, tookOver },
  });
  return { pipeline, live, owners, leave: () => registered.leave() };
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
  const letGo = await one.owners.hold([vehicle.id], async () => {});
  let isTaken = false;
  const taking = two.owners.hold([vehicle.id], async ids => {
    expect(ids).toEqual([vehicle.id]);
    isTaken = true;
  });
  // The other waits for the lock; nothing else asks for it.
  const { pool } = shared.context.db;
  await expect
    .poll(async () => (await pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount)
    .toBe(1);
  expect(isTaken).toBe(false);
  await letGo();
  await (await taking)();
  expect(isTaken).toBe(true);
  // The first learns that it lost the vehicle, and takes it back.
  const lost: number[] = [];
  await (await one.owners.hold([vehicle.id], async ids => void lost.push(...ids)))();
  expect(lost).toEqual([vehicle.id]);
});

it('takes over what a node that was killed has left, and stores nothing for a vehicle that is deleted', async () => {
  const [one, two] = nodes as [PipelineOfNode, PipelineOfNode];
  const vehicle = await addVehicle(shared.context);
  const killed = new FencedOwners(shared.context.db.pool, randomUUID());
  await expect(killed.hold([vehicle.id], async () => {})).rejects.toThrow('not registered');
  await (await one.owners.hold([vehicle.id], async () => {}))();
  await shared.context.db.system.deleteFrom('vehicle').where('id', '=', vehicle.id).execute();
  const accepted = two.pipeline.accept(vehicle, [positionMessage(T)], 'teltonika', RECEIVED);
  await expect(accepted).rejects.toThrow('removed-vehicle');
});
