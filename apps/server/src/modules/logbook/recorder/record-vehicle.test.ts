import { randomUUID } from 'node:crypto';
import type { DutyAction } from '@milepost/contract';
import { shownSegments } from '@milepost/eld';
import { degrees, epochMs, fromMilesPerHour, metres } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addVehicle,
  NO_PRIVATE_TIME,
  positionMessage,
  startPipeline,
  type TestPipeline,
} from '../../../../testing/ingest.ts';
import { importPositions } from '../../../tracks/write.ts';
import { createAccount } from '../../accounts/accounts.ts';
import { readLog } from '../export.ts';
import { townFinder } from '../towns.ts';
import { recordVehicle } from './record-vehicle.ts';
import { createRecorder, type Recorder } from './recorder.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Vehicles of which two positions in three are private. */
const inPrivate = new Set<number>();
let pipe: TestPipeline;
let accountId: number;
beforeAll(async () => {
  pipe = await startPipeline(undefined, {
    isUsed: () => true,
    hides: ({ id }, atMs) => inPrivate.has(id) && Math.floor(atMs / 1000) % 3 > 0,
  });
  accountId = await createAccount(pipe.context.db, { name: 'Recorded' });
});
afterAll(() => pipe.close());

const newRecorder = (): Recorder =>
  createRecorder(
    pipe.context,
    { live: pipe.live, privateTime: { ...NO_PRIVATE_TIME, hidesPersonalUse: () => true } },
    async () => townFinder([]),
  );

interface World {
  readonly vehicleId: number;
  readonly log: string;
  readonly driverId: number;
  drive(atMs: number, mph: number, ignition?: boolean): Promise<void>;
  /** In one packet. */
  driveAll(fixes: readonly { readonly at: number; readonly mph: number }[]): Promise<void>;
  enter(atMs: number, action: DutyAction): Promise<void>;
  record(nowMs: number): Promise<void>;
  /** Records what came in order, and leaves what came late. */
  recordNew(nowMs: number): Promise<void>;
  /** The server is killed in the middle of recording. */
  killed(nowMs: number): Promise<void>;
  segments(untilMs: number, log?: string): Promise<{ readonly status: string }[]>;
  events(log?: string): Promise<string[]>;
  /** Whether the driver was signed in from when until when. */
  seats(): Promise<(readonly [from: number, to: number | null])[]>;
  /** When positions are hidden because the driver uses the vehicle personally. */
  personally(): Promise<(readonly [from: number, to: number | null])[]>;
}

let drivers = 0;
async function newDriver(): Promise<number> {
  const { id } = await pipe.context.db.system
    .insertInto('driver')
    .values({ account_id: accountId, name: `Driver ${++drivers}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function makeWorld(beginMs: number, knownDriver: number | null = null): Promise<World> {
  const { db } = pipe.context;
  const vehicle = await addVehicle(pipe.context, accountId);
  const driverId = knownDriver ?? (await newDriver());
  let recorder = newRecorder();
  await db.asAccount(accountId, trx => recorder.begin(trx, accountId, vehicle.id, beginMs));
  const log = `driver:${driverId}`;
  const logOf = (name = log) => db.asAccount(accountId, trx => readLog(trx, name));
  return {
    vehicleId: vehicle.id,
    log,
    driverId,
    drive: async (atMs, mph, ignition = true) => {
      const speed = fromMilesPerHour(mph);
      await pipe.pipeline.accept(
        vehicle,
        [positionMessage(atMs, { speed, ignition, odometer: metres(1000), lon: degrees(-87.68) })],
        'teltonika',
        epochMs(Date.now()),
      );
    },
    driveAll: async fixes => {
      const sent = fixes.map(({ at, mph }) => positionMessage(at, { speed: fromMilesPerHour(mph), ignition: true }));
      await pipe.pipeline.accept(vehicle, sent, 'teltonika', epochMs(Date.now()));
    },
    enter: async (atMs, action) => {
      const terms =
        action.kind === 'sign-in'
          ? { status: 'OFF', elsewhere: null, mayIndicate: { 'personal-use': true, 'yard-move': true } }
          : null;
      await db.asAccount(accountId, trx =>
        trx
          .insertInto('duty_input')
          .values({
            ...{ account_id: accountId, id: randomUUID(), driver_id: driverId, vehicle_id: vehicle.id },
            ...{ at: new Date(atMs), received_at: new Date(), user_id: null, refusal: null },
            action: JSON.stringify(action),
            terms: terms && JSON.stringify(terms),
          })
          .execute(),
      );
    },
    record: async nowMs => {
      await db.asAccount(accountId, trx => recorder.record(trx, accountId, vehicle.id, nowMs));
    },
    recordNew: async nowMs => {
      const parts = {
        accountId,
        vehicleId: vehicle.id,
        nowMs,
        untilMs: null,
        hidesPersonalUse: true,
        leavesLate: true,
      };
      await db.asAccount(accountId, trx => recordVehicle(trx, { ...parts, towns: townFinder([]) }));
    },
    killed: async nowMs => {
      const died = db.asAccount(accountId, async trx => {
        await recorder.record(trx, accountId, vehicle.id, nowMs);
        throw new Error('killed');
      });
      await expect(died).rejects.toThrow('killed');
      recorder = newRecorder();
    },
    segments: async (untilMs, name) =>
      shownSegments((await logOf(name)).records(), untilMs).map(({ record: _, ...segment }) => segment),
    seats: async () => {
      const rows = await db.system
        .selectFrom('driver_span')
        .select(['from_at', 'to_at'])
        .where('vehicle_id', '=', vehicle.id)
        .where('driver_id', '=', driverId)
        .where('kind', '=', 'signed-in')
        .orderBy('from_at')
        .execute();
      return rows.map(({ from_at, to_at }) => [from_at?.getTime() ?? 0, to_at?.getTime() ?? null] as const);
    },
    personally: async () => {
      const rows = await db.system
        .selectFrom('private_drive')
        .select(['began_at', 'ended_at'])
        .where('vehicle_id', '=', vehicle.id)
        .where('driver_id', '=', driverId)
        .orderBy('began_at')
        .execute();
      return rows
        .map(({ began_at, ended_at }) => [began_at.getTime(), ended_at?.getTime() ?? null] as const)
        .filter(([from, to]) => from !== to);
    },
    events: async name =>
      (await logOf(name))
        .records()
        .map(
          ({ event }) =>
            `${event.type}/${event.code} ${'origin' in event ? event.origin : '-'} ${new Date(event.at).toISOString().slice(11, 19)}`,
        ),
  };
}

const signIn = (vehicleId: number): DutyAction => ({ kind: 'sign-in', vehicleId: String(vehicleId) });
const status = (name: 'OFF' | 'SB' | 'ON' | 'PC' | 'YM'): DutyAction => ({ kind: 'status', status: name, note: '' });

describe('[R2.14] recording', () => {
  const at = (clock: string) => Date.parse(`2026-11-20T${clock}Z`);

  it('makes a day of a log from positions and what the driver enters, each event at its own time', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.enter(at('08:01:00'), status('ON'));
    await world.drive(at('08:20:00'), 0);
    await world.drive(at('08:30:00'), 40);
    await world.record(at('08:30:01'));
    await world.drive(at('09:40:00'), 50);
    await world.drive(at('10:00:00'), 0);
    await world.record(at('10:00:01'));
    // Nothing comes any more: after six minutes the driver is on duty.
    await world.record(at('10:05:30'));
    await world.record(at('10:30:00'));
    await world.record(at('10:31:00'));
    expect(await world.events()).toEqual([
      '5/1 - 08:00:00',
      '1/4 driver 08:01:00',
      // Where, nobody knows yet: data diagnostic 3, until the tracker reports.
      '7/3 - 08:01:00',
      '6/1 - 08:20:00',
      '7/4 - 08:20:00',
      '1/3 automatic 08:30:00',
      '2/1 automatic 09:40:00',
      '1/4 automatic 10:06:03',
    ]);
  });

  it('records in its next look what comes while a look is on its way to the vehicle, and nothing after', async () => {
    const world = await makeWorld(at('08:00:00'));
    const recorder = newRecorder();
    await world.drive(at('08:10:00'), 0);
    await recorder.look(at('08:11:00'));
    // The look began at 08:20, for the driver's entry; before it came to the vehicle, so did the tracker's last report.
    await world.enter(at('08:00:30'), signIn(world.vehicleId));
    await world.drive(at('08:30:00'), 40);
    const late = { account_id: accountId, vehicle_id: world.vehicleId, from_at: new Date(at('08:05:00')) };
    await pipe.context.db.system.insertInto('recorder_late').values(late).execute();
    await recorder.look(at('08:20:00'));
    expect(await world.events()).not.toContain('1/3 automatic 08:30:00');
    await recorder.look(at('08:31:00'));
    expect(await world.events()).toContain('1/3 automatic 08:30:00');
  });

  it('records driving without a driver as unidentified', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.drive(at('08:30:00'), 40);
    await world.drive(at('08:50:00'), 0);
    await world.record(at('09:30:00'));
    expect(await world.segments(at('09:00:00'), `unidentified:${world.vehicleId}`)).toEqual([
      { status: 'D', start: at('08:30:00'), end: at('08:56:03') },
      { status: 'ON', start: at('08:56:03'), end: at('09:00:00') },
    ]);
  });

  it('records nothing of a track that was imported from a file', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.drive(at('08:10:00'), 0);
    await world.record(at('08:20:00'));
    const row = (clock: string, received: string, speed: number) => ({
      ...{ account_id: accountId, vehicle_id: world.vehicleId, lat: 41.9, lon: -87.7, speed, valid: true, doubts: 0 },
      ...{ fix_at: new Date(at(clock)), received_at: new Date(at(received)), late: true, protocol: 'osmand' },
      attributes: { importedFrom: 'drive.gpx' },
    });
    const log = `unidentified:${world.vehicleId}`;
    const { system } = pipe.context.db;
    await system.transaction().execute(async trx => {
      await importPositions(trx as never, [row('08:12:00', '08:12:00', 25), row('08:14:00', '08:14:00', 0)]);
    });
    await world.record(at('09:00:00'));
    expect(await world.segments(at('09:00:00'), log)).toEqual([]);
    // A tracker that names an attribute so has been driven all the same.
    await system.transaction().execute(async trx => {
      await importPositions(trx as never, [row('08:13:00', '08:40:00', 25)]);
    });
    await world.record(at('09:00:00'));
    expect(await world.segments(at('09:00:00'), log)).toEqual([
      { status: 'D', start: at('08:13:00'), end: at('09:00:00') },
    ]);
  });

  it('records driving that a tracker buffered before the driver’s later entry', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.enter(at('08:01:00'), status('ON'));
    await world.drive(at('08:05:00'), 0);
    await world.record(at('08:10:00'));
    await world.drive(at('11:00:00'), 0);
    await world.enter(at('11:10:00'), status('OFF'));
    await world.record(at('11:10:01'));
    // What the tracker kept while it had no network.
    await world.drive(at('09:00:00'), 55);
    await world.drive(at('10:00:00'), 0);
    await world.record(at('11:20:00'));
    expect(await world.segments(at('12:00:00'))).toEqual([
      { status: 'ON', start: at('08:01:00'), end: at('09:00:00') },
      { status: 'D', start: at('09:00:00'), end: at('10:06:03') },
      { status: 'ON', start: at('10:06:03'), end: at('11:10:00') },
      { status: 'OFF', start: at('11:10:00'), end: at('12:00:00') },
    ]);
  });

  it('corrects what was recorded because positions were missing', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.drive(at('08:05:00'), 40);
    await world.drive(at('08:20:00'), 0);
    await world.record(at('08:40:00'));
    expect((await world.events()).at(-1)).toBe('1/4 automatic 08:26:03');
    // It only waited at a light, out of the network.
    await world.drive(at('08:21:00'), 40);
    await world.drive(at('08:45:00'), 40);
    await world.record(at('08:46:00'));
    expect(await world.segments(at('08:46:00'))).toEqual([{ status: 'D', start: at('08:05:00'), end: at('08:46:00') }]);
  });

  it('takes an entry that came late, where driving was recorded because it was not known', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.drive(at('08:05:00'), 40);
    await world.drive(at('10:00:00'), 0);
    await world.drive(at('10:30:00'), 40);
    await world.record(at('10:40:00'));
    await world.enter(at('10:02:00'), status('OFF'));
    await world.record(at('10:41:00'));
    expect(await world.segments(at('10:41:00'))).toEqual([
      { status: 'D', start: at('08:05:00'), end: at('10:02:00') },
      { status: 'OFF', start: at('10:02:00'), end: at('10:30:00') },
      { status: 'D', start: at('10:30:00'), end: at('10:41:00') },
    ]);
  });

  it('forgets nothing that is recorded when a look comes to a vehicle later than it began', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.drive(at('08:05:00'), 40);
    await world.drive(at('10:00:00'), 0);
    await world.enter(at('10:02:00'), status('SB'));
    await world.record(at('10:03:00'));
    // Meanwhile the tracker sent what it had kept; the look began before the vehicle stood.
    await world.drive(at('09:00:00'), 50);
    await world.record(at('09:59:59'));
    expect((await world.segments(at('10:03:00'))).at(-1)).toMatchObject({ status: 'SB', start: at('10:02:00') });
    await world.drive(at('10:30:00'), 40);
    await world.record(at('10:31:00'));
    expect(await world.segments(at('10:31:00'))).toEqual([
      { status: 'D', start: at('08:05:00'), end: at('10:02:00') },
      { status: 'SB', start: at('10:02:00'), end: at('10:30:00') },
      { status: 'D', start: at('10:30:00'), end: at('10:31:00') },
    ]);
  });

  it('leaves nothing in a log of a vehicle that its driver had left, over what another vehicle recorded', async () => {
    const left = await makeWorld(at('08:00:00'));
    const taken = await makeWorld(at('08:00:00'), left.driverId);
    await left.enter(at('08:00:00'), signIn(left.vehicleId));
    await left.enter(at('08:01:00'), status('ON'));
    await left.record(at('08:02:00'));
    // Someone else drives it: the phone, without a network, has not told yet that its driver is gone.
    await left.drive(at('09:10:00'), 40);
    await left.drive(at('09:20:00'), 0);
    await left.record(at('09:40:00'));
    expect((await left.segments(at('09:40:00'))).map(({ status: name }) => name)).toEqual(['ON', 'D', 'ON']);
    await left.enter(at('08:30:00'), { kind: 'sign-out', status: 'OFF' });
    await left.record(at('09:41:00'));
    await taken.enter(at('08:40:00'), signIn(taken.vehicleId));
    await taken.drive(at('09:00:00'), 40);
    await taken.drive(at('09:30:00'), 0);
    await taken.record(at('09:42:00'));
    expect(await taken.segments(at('09:42:00'))).toEqual([
      { status: 'ON', start: at('08:01:00'), end: at('08:30:00') },
      { status: 'OFF', start: at('08:30:00'), end: at('09:00:00') },
      { status: 'D', start: at('09:00:00'), end: at('09:36:03') },
      { status: 'ON', start: at('09:36:03'), end: at('09:42:00') },
    ]);
    expect(await left.segments(at('09:42:00'), `unidentified:${left.vehicleId}`)).toEqual([
      { status: 'D', start: at('09:10:00'), end: at('09:26:03') },
      { status: 'ON', start: at('09:26:03'), end: at('09:42:00') },
    ]);
  });

  it('records again what it had taken back, when even later reports say so', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.drive(at('08:05:00'), 40);
    await world.drive(at('10:00:00'), 0);
    await world.enter(at('10:02:00'), status('OFF'));
    await world.record(at('10:03:00'));
    // It moved when the driver went off duty …
    await world.drive(at('10:01:00'), 40);
    await world.record(at('10:04:00'));
    expect(await world.segments(at('10:04:00'))).toEqual([{ status: 'D', start: at('08:05:00'), end: at('10:04:00') }]);
    // … no, only half a minute before.
    await world.drive(at('10:01:30'), 0);
    await world.record(at('10:05:00'));
    expect(await world.segments(at('10:05:00'))).toEqual([
      { status: 'D', start: at('08:05:00'), end: at('10:02:00') },
      { status: 'OFF', start: at('10:02:00'), end: at('10:05:00') },
    ]);
  });

  it('takes nothing twice that was entered before the tracker’s first report, on the day before', async () => {
    const evening = at('00:00:00') - 2 * HOUR;
    const out = evening + 9 * MINUTE;
    const world = await makeWorld(evening);
    await world.enter(evening, signIn(world.vehicleId));
    await world.enter(out, status('ON'));
    await world.enter(out, { kind: 'sign-out', status: 'OFF' });
    await world.record(out + MINUTE);
    await world.drive(at('02:00:00'), 0);
    await world.record(at('02:01:00'));
    const ofThen = async () => (await world.events()).filter(event => event.endsWith('22:09:00'));
    const events = await ofThen();
    expect(events.length).toBeGreaterThan(0);
    // Received late: the day is recorded again from its beginning.
    await world.enter(at('01:00:00'), signIn(world.vehicleId));
    await world.record(at('02:02:00'));
    expect(await ofThen()).toEqual(events);
  });

  it('corrects nothing that became due after a look began', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.drive(at('08:05:00'), 40);
    await world.drive(at('10:00:00'), 0);
    await world.record(at('10:07:00'));
    const events = await world.events();
    expect(events.at(-1)).toBe('1/4 automatic 10:06:03');
    await world.record(at('10:06:00'));
    await world.record(at('10:08:00'));
    expect(await world.events()).toEqual(events);
  });
});

describe('[R2.14] personal use', () => {
  const at = (clock: string) => Date.parse(`2026-11-20T${clock}Z`);

  it('hides positions from when until when the log says so, however late the phone tells', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.drive(at('08:01:00'), 0);
    await world.record(at('08:02:00'));
    expect(await world.personally()).toEqual([]);
    // The phone was without a network for all of it.
    await world.enter(at('09:00:00'), status('PC'));
    await world.enter(at('10:00:00'), status('ON'));
    await world.enter(at('11:00:00'), status('PC'));
    await world.record(at('12:00:00'));
    expect(await world.personally()).toEqual([
      [at('09:00:00'), at('10:00:00')],
      [at('11:00:00'), null],
    ]);
    // It moved before the second time began, so that does not count.
    await world.drive(at('10:50:00'), 40);
    await world.record(at('12:01:00'));
    expect(await world.personally()).toEqual([[at('09:00:00'), at('10:00:00')]]);
  });
});

describe('[R2.14] what falls in one second', () => {
  const at = (clock: string) => Date.parse(`2026-11-20T${clock}Z`);

  it('is shown by what came last in it, whatever was received last', async () => {
    const world = await makeWorld(at('08:00:00'));
    await world.enter(at('08:00:00'), signIn(world.vehicleId));
    await world.drive(at('08:05:00'), 40);
    await world.drive(at('08:15:12'), 0);
    await world.drive(at('08:26:50'), 40);
    await world.record(at('08:30:00'));
    // Six minutes after this answer driving would have ended, in the second in which it went on.
    await world.enter(at('08:20:50'), { kind: 'confirm' });
    await world.record(at('08:31:00'));
    expect(await world.segments(at('08:31:00'))).toEqual([{ status: 'D', start: at('08:05:00'), end: at('08:31:00') }]);
  });
});

/** The rest before a log counts as off duty, whether a record says so or not. */
const afterRest = (segments: readonly { readonly status: string }[]) =>
  segments.slice(segments.findIndex(({ status }) => status !== 'OFF') >>> 0);

describe('[R2.14] a log', () => {
  const item = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('drive' as const),
        mph: fc.constantFrom(0, 0, 3, 30, 60),
        ignition: fc.constantFrom(true, true, true, false),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('status' as const),
        to: fc.constantFrom('OFF' as const, 'SB' as const, 'ON' as const, 'PC' as const, 'YM' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('confirm' as const, 'in' as const, 'out' as const) }) },
  );
  /** Some are as long as what becomes due by itself takes, so that it and the next step fall in one second. */
  const gap = fc.oneof(
    fc.integer({ min: 1, max: 400 }),
    fc.integer({ min: 400, max: 20_000 }),
    fc.constantFrom(3, 300, 303, 360, 363),
  );
  const stories = (length: number) => ({
    steps: fc.array(fc.record({ gapS: gap, item }), { minLength: 2, maxLength: length }),
    delays: fc.array(fc.nat({ max: 12 }), { minLength: length, maxLength: length }),
    // Of an old one the look began before the newest of what has been recorded.
    happenings: fc.array(fc.constantFrom('record', 'record', 'record new', 'old record', 'kill', 'nothing'), {
      ...{ minLength: length + 1, maxLength: length + 1 },
    }),
  });

  const isThatOfTheOrderedStream = async (length: number, numRuns: number): Promise<void> => {
    const { steps: anySteps, delays: anyDelays, happenings: anyHappenings } = stories(length);
    await fc.assert(
      fc.asyncProperty(
        anySteps,
        anyDelays,
        anyHappenings,
        fc.boolean(),
        async (steps, delays, happenings, isPrivate) => {
          const lengthS = steps.reduce((sum, { gapS }) => sum + gapS, 0);
          const beginMs = Math.floor((Date.now() - 10 * HOUR) / 1000) * 1000 - lengthS * 1000;
          let clock = beginMs;
          const told = steps.map(({ gapS, item: what }) => {
            clock += gapS * 1000;
            return { at: clock, what };
          });
          const endMs = clock + 2 * HOUR;
          const send = (world: World, { at, what }: (typeof told)[number]): Promise<void> => {
            if (what.kind === 'drive') return world.drive(at, what.mph, what.ignition);
            if (what.kind === 'status') return world.enter(at, status(what.to));
            if (what.kind === 'in') return world.enter(at, signIn(world.vehicleId));
            if (what.kind === 'out') return world.enter(at, { kind: 'sign-out', status: 'OFF' });
            return world.enter(at, { kind: 'confirm' });
          };
          const first = { at: beginMs, what: { kind: 'in' as const } };

          const ordered = await makeWorld(beginMs);
          for (const each of [first, ...told]) await send(ordered, each);
          await ordered.record(endMs);

          const late = await makeWorld(beginMs);
          if (isPrivate) inPrivate.add(late.vehicleId);
          await send(late, first);
          const queue = told
            .map((each, nth) => ({ each, place: nth + (delays[nth] ?? 0) }))
            .sort((a, b) => a.place - b.place);
          let nowMs = beginMs;
          for (const [nth, { each }] of queue.entries()) {
            nowMs = Math.max(nowMs, each.at);
            await send(late, each);
            if (happenings[nth] === 'record') await late.record(nowMs);
            if (happenings[nth] === 'record new') await late.recordNew(nowMs);
            if (happenings[nth] === 'old record') await late.record(Math.min(nowMs, queue[nth - 3]?.each.at ?? nowMs));
            if (happenings[nth] === 'kill') await late.killed(nowMs);
          }
          await late.record(endMs);
          await late.record(endMs);

          for (const [a, b] of [
            [ordered.log, late.log],
            [`unidentified:${ordered.vehicleId}`, `unidentified:${late.vehicleId}`],
          ]) {
            expect(afterRest(await late.segments(endMs, b))).toEqual(afterRest(await ordered.segments(endMs, a)));
          }
          // Who was signed in when, too.
          expect(await late.seats()).toEqual(await ordered.seats());
          expect((await ordered.seats())[0]?.[0]).toBe(beginMs);
          expect(await late.personally()).toEqual(await ordered.personally());
        },
      ),
      { numRuns },
    );
  };

  it(
    'is that of the ordered stream, whatever came late or was private, in any order, through restarts and kills',
    { timeout: 120_000 },
    () => isThatOfTheOrderedStream(14, 10),
  );

  it(
    'is the same whether a tracker sends each ten seconds of hours in order or newest first',
    { timeout: 120_000 },
    () =>
      fc.assert(
        fc.asyncProperty(
          // By the minute, in packets.
          fc.array(fc.constantFrom(0, 0, 30, 60), { minLength: 20, maxLength: 120 }),
          fc.integer({ min: 20, max: 200 }),
          fc.array(fc.constantFrom('record', 'record new', 'nothing'), { minLength: 36, maxLength: 36 }),
          fc.boolean(),
          async (mph, packet, happenings, isMidnight) => {
            const midnight = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR;
            const beginMs = midnight - 10 * HOUR - (isMidnight ? 14.5 * HOUR : 0);
            const fixes = mph.flatMap((speed, nth) =>
              Array.from({ length: 6 }, (_, tenth) => ({ at: beginMs + (nth * 6 + tenth + 1) * 10_000, mph: speed })),
            );
            const endMs = beginMs + mph.length * MINUTE + 2 * HOUR;
            const enterAll = async (world: World): Promise<void> => {
              await world.enter(beginMs, signIn(world.vehicleId));
              await world.enter(beginMs + 1000, status('ON'));
              await world.enter(endMs - HOUR, status('OFF'));
            };
            const ordered = await makeWorld(beginMs);
            await enterAll(ordered);
            await ordered.driveAll(fixes);
            await ordered.record(endMs);
            const reversed = await makeWorld(beginMs);
            await enterAll(reversed);
            for (let i = 0; i < fixes.length; i += packet) {
              await reversed.driveAll(fixes.toReversed().slice(i, i + packet));
              if (happenings[i / packet] === 'record') await reversed.record(endMs);
              if (happenings[i / packet] === 'record new') await reversed.recordNew(endMs);
            }
            await reversed.record(endMs);
            for (const [a, b] of [
              [ordered.log, reversed.log],
              [`unidentified:${ordered.vehicleId}`, `unidentified:${reversed.vehicleId}`],
            ]) {
              expect(await reversed.segments(endMs, b)).toEqual(await ordered.segments(endMs, a));
            }
            expect(await reversed.seats()).toEqual(await ordered.seats());
          },
        ),
        { numRuns: 6 },
      ),
  );

  it('is so in many cases, too', { tags: ['long'], timeout: 600_000 }, () => isThatOfTheOrderedStream(14, 60));

  it('is so over days, too', { tags: ['long'], timeout: 600_000 }, () => isThatOfTheOrderedStream(60, 60));
});
