import type { RouteAnswer, readFleetAt } from '@milepost/contract';
import { advanceMotion, DEFAULT_THRESHOLDS, type MotionState, UNKNOWN_MOTION, vehicleStatus } from '@milepost/geo';
import { degrees, epochMs, fromKilometresPerHour, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itHolds } from '../../../testing/few-and-many.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { callerOf, limit } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { advance, doubtsFromBits, toLiveState, type VehicleState } from '../../fleet/vehicle-state.ts';
import { sealOldDays } from '../../tracks/seal.ts';
import { packDay } from '../../tracks/sealed-day.ts';
import type { ReceivedPosition } from '../../tracks/stored-position.ts';
import { dropOldPositions } from '../tenancy/retention.ts';

type Picture = RouteAnswer<typeof readFleetAt>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TODAY = Math.floor(Date.now() / DAY) * DAY;

let server: TestHttpServer;
let owner: SignedIn;

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
});
afterAll(() => server.close());

async function pictureAt(atMs: number, { token }: Pick<SignedIn, 'token'> = owner): Promise<Picture> {
  const query = new URLSearchParams({ at: new Date(atMs).toISOString() });
  const answer = await server.call('GET', `/api/v1/fleet/at?${query}`, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Picture;
}
const ofVehicle = ({ vehicles }: Picture, id: number) => vehicles.find(({ deviceId }) => deviceId === String(id));

/** The live state after all that had been fixed by then, as if each report had come at once. */
function liveAt(positions: readonly ReceivedPosition[], atMs: number): VehicleState | null {
  let state: VehicleState | null = null;
  for (const position of positions.toSorted((a, b) => a.fixAt - b.fixAt)) {
    if (position.fixAt > atMs) break;
    state = advance(state, { receivedAt: position.receivedAt, positions: [position] }, () => {});
  }
  return state;
}

const seal = () =>
  sealOldDays({
    pool: server.context.db.pool,
    log: pino({ level: 'silent' }),
    pack: async rows => packDay(rows),
    afterDays: 2,
    withinMs: Number.POSITIVE_INFINITY,
    isStopped: () => false,
  });

/** Days of driving, standing with and without the engine, silences, and fixes without GPS; one fix every few seconds or minutes. */
const story: fc.Arbitrary<readonly ReceivedPosition[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('drive', 'idle', 'stop', 'silence', 'tunnel'),
      count: fc.integer({ min: 1, max: 60 }),
      everyS: fc.constantFrom(5, 10, 30, 60, 240, 900),
      hasIgnition: fc.boolean(),
    }),
    { minLength: 5, maxLength: 30 },
  )
  .map(parts => {
    let atMs = TODAY - 9 * DAY;
    let lon = -87.68;
    return parts.flatMap(({ kind, count, everyS, hasIgnition }) => {
      if (kind === 'silence') {
        atMs += count * 20 * MINUTE;
        return [];
      }
      return Array.from({ length: count }, () => {
        atMs += everyS * 1000;
        if (kind === 'drive') lon += everyS * 0.0002;
        return receivedPosition(atMs, {
          receivedAt: epochMs(atMs),
          lon: degrees(Math.round(lon * 1e6) / 1e6),
          speed: fromKilometresPerHour(kind === 'drive' ? 58 : 0),
          ignition: hasIgnition ? kind !== 'stop' : null,
          valid: kind !== 'tunnel',
        });
      });
    });
  });

/** Hours of standing with a report every few seconds, and whatever interrupts them, between drives. */
const parkedStory: fc.Arbitrary<readonly ReceivedPosition[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('drive', 'park', 'park', 'idle'),
      count: fc.integer({ min: 20, max: 1500 }),
      everyS: fc.constantFrom(1, 5, 10, 10, 59, 60),
      isSent: fc.constantFrom(true, true, false),
      quirk: fc.constantFrom('none', 'none', 'rolls', 'jumps', 'invalid', 'no ignition', 'no speed', 'silence', 'late'),
      nth: fc.integer({ min: 7, max: 400 }),
    }),
    { minLength: 3, maxLength: 8 },
  )
  .map(parts => {
    let [atMs, lon] = [TODAY - 9 * DAY, -87.68];
    const fixes = parts.flatMap(({ kind, count, everyS, isSent, quirk, nth }) =>
      Array.from({ length: kind === 'drive' ? count % 60 : count }, (_, i) => {
        const isQuirk = kind !== 'drive' && i % nth === nth - 1;
        const is = (which: typeof quirk): boolean => isQuirk && quirk === which;
        atMs += (is('silence') ? 700 : everyS) * 1000;
        if (kind === 'drive') lon += everyS * 0.0002;
        const kmh = kind === 'drive' ? 58 : is('rolls') ? (nth % 7) + 1 : 0;
        return receivedPosition(atMs, {
          receivedAt: epochMs(atMs + (is('late') ? HOUR : 0)),
          lon: degrees(Math.round((lon + (is('jumps') ? 20 : 0)) * 1e6) / 1e6),
          speed: is('no speed') ? null : fromKilometresPerHour(kmh),
          ignition: is('no ignition') || !isSent ? null : kind !== 'park',
          valid: !is('invalid'),
        });
      }),
    );
    return fixes.toSorted((a, b) => a.receivedAt - b.receivedAt);
  });

/** The motion after each of a vehicle's rows up to a moment, one after the other. */
async function motionByRows(vehicleId: number, atMs: number): Promise<MotionState> {
  const rows = await server.context.db.system
    .selectFrom('position')
    .select(['fix_at', 'lat', 'lon', 'speed', 'ignition', 'valid', 'doubts'])
    .where('vehicle_id', '=', vehicleId)
    .where('fix_at', '<=', new Date(atMs))
    .orderBy('fix_at')
    .execute();
  return rows.reduce<MotionState>(
    (state, { fix_at, lat, lon, speed, ignition, valid, doubts }) =>
      advanceMotion(state, {
        ...{ time: epochMs(fix_at.getTime()), lat: degrees(lat), lon: degrees(lon), course: null },
        ...{ speed: speed === null ? null : metresPerSecond(speed), ignition, valid, doubts: doubtsFromBits(doubts) },
      }),
    UNKNOWN_MOTION,
  );
}

describe('the fleet at a moment', () => {
  it('[N2] is the live picture that these positions gave then, from rows and from packed days', async () => {
    const stories = fc.sample(story, { numRuns: 8, seed: 13 });
    const vehicles: { readonly id: number; readonly positions: readonly ReceivedPosition[] }[] = [];
    for (const positions of stories) {
      const { id } = await addVehicle(server.context, owner.accountId);
      await storePositions(server, owner.accountId, id, positions);
      vehicles.push({ id, positions });
    }
    await server.directory.settled();
    const all = stories.flat();
    const moments = fc
      .sample(fc.tuple(fc.nat(all.length - 1), fc.integer({ min: 1, max: 4000 })), { numRuns: 25, seed: 7 })
      .map(([nth, afterS]) => (all[nth] as ReceivedPosition).fixAt + afterS * 1000);
    let certain = 0;
    const compare = async (): Promise<void> => {
      for (const atMs of moments) {
        const picture = await pictureAt(atMs);
        for (const { id, positions } of vehicles) {
          const expected = liveAt(positions, atMs);
          const found = ofVehicle(picture, id);
          const { intervalS, ...live } = toLiveState(expected);
          const { intervalS: foundInterval, ...foundLive } = found?.live ?? toLiveState(null);
          const { motionSince: _, ...rest } = live;
          expect(foundLive, `${id} at ${new Date(atMs).toISOString()}`).toMatchObject(
            found?.isSinceAtLeast ? rest : live,
          );
          if (live.motion !== 'stopped' && !found?.isSinceAtLeast) expect(foundInterval).toBe(intervalS);
          const known = expected && { ...expected.motion, heardAt: expected.heardAt };
          expect(found?.status).toBe(
            known ? vehicleStatus(known, epochMs(atMs), DEFAULT_THRESHOLDS).status : 'no-data',
          );
          expect(found?.report?.receivedAt ?? null).toBe(
            expected?.newest ? new Date(expected.newest.receivedAt).toISOString() : null,
          );
          if (found && !found.isSinceAtLeast) certain++;
        }
      }
    };
    await compare();
    expect((await seal()).positions).toBeGreaterThan(500);
    await compare();
    expect(certain).toBe(2 * moments.length * vehicles.length);
  });

  it('[N2] says since when a vehicle stands that reports every 10 s, long after it was parked', async () => {
    const { id } = await addVehicle(server.context, owner.accountId);
    await server.directory.settled();
    const from = TODAY - 6 * DAY + 20 * HOUR;
    let lon = -87.68;
    const positions = Array.from({ length: 13_500 }, (_, i) => {
      const hour = (i * 10) / 3600;
      const isDriving = hour < 1 || (hour >= 13 && hour < 15);
      if (isDriving) lon += 0.003;
      return receivedPosition(from + i * 10_000, {
        receivedAt: epochMs(from + i * 10_000),
        lon: degrees(Math.round(lon * 1e6) / 1e6),
        speed: fromKilometresPerHour(isDriving ? 90 : 0),
        ignition: isDriving,
      });
    });
    await storePositions(server, owner.accountId, id, positions);
    const compare = async (): Promise<void> => {
      // Parked for one, eight, ten and 22 hours, and the day before for three and 11.
      for (const hours of [16, 23, 24.9, 37, 4, 12]) {
        const atMs = from + hours * HOUR;
        const { intervalS: _, ...live } = toLiveState(liveAt(positions, atMs));
        expect(ofVehicle(await pictureAt(atMs), id), `after ${hours} h`).toMatchObject({ isSinceAtLeast: false, live });
      }
    };
    await compare();
    expect((await seal()).positions).toBe(13_500);
    await compare();
  }, 60_000);

  const standing = '[N2] is what all fixes say one by one, when most of them only say that a vehicle stands';
  itHolds(standing, { few: 3, many: 12 }, async numRuns => {
    const vehicles: { readonly id: number; readonly moments: readonly number[] }[] = [];
    for (const positions of fc.sample(parkedStory, { numRuns, seed: 22 })) {
      const { id } = await addVehicle(server.context, owner.accountId);
      await storePositions(server, owner.accountId, id, positions);
      const moments = [0.4, 0.7, 0.95].map(part => positions[Math.floor(part * positions.length)]?.fixAt ?? 0);
      vehicles.push({ id, moments: [...moments, (positions.at(-1)?.fixAt ?? 0) + HOUR] });
    }
    await server.directory.settled();
    const expected = new Map<string, MotionState>();
    for (const { id, moments } of vehicles) {
      for (const atMs of moments) expected.set(`${id} at ${atMs}`, await motionByRows(id, atMs));
    }
    const compare = async (): Promise<number> => {
      let certain = 0;
      for (const { id, moments } of vehicles) {
        for (const atMs of moments) {
          const found = ofVehicle(await pictureAt(atMs), id);
          const motion = expected.get(`${id} at ${atMs}`) ?? UNKNOWN_MOTION;
          const {
            heardAt: _,
            intervalS,
            motionSince,
            ...live
          } = toLiveState({
            heardAt: epochMs(0),
            motion,
            newest: null,
          });
          expect(found?.live, `${id} at ${atMs}`).toMatchObject(live);
          if (found?.isSinceAtLeast) continue;
          certain++;
          expect(found?.live, `${id} at ${atMs}`).toMatchObject({
            motionSince,
            ...(live.motion !== 'stopped' && { intervalS }),
          });
        }
      }
      return certain;
    };
    expect(await compare()).toBeGreaterThan(expected.size * 0.7);
    expect((await seal()).positions).toBeGreaterThan(numRuns * 1500);
    expect(await compare()).toBeGreaterThan(expected.size * 0.7);
  });

  it('is what was true by the clock of the tracker, whenever it arrived; what came later is marked', async () => {
    const { id } = await addVehicle(server.context, owner.accountId);
    await server.directory.settled();
    const from = TODAY - 3 * DAY + 8 * HOUR;
    const drive = Array.from({ length: 60 }, (_, i) =>
      receivedPosition(from + i * MINUTE, {
        lon: degrees(-87.68 + i * 0.01),
        speed: fromKilometresPerHour(50),
        ignition: true,
        // Minutes 20 to 39 come from the tracker's memory, after all others.
        ...(i >= 20 && i < 40 && { receivedAt: epochMs(from + 90 * MINUTE) }),
      }),
    );
    const late = drive.splice(20, 20);
    await storePositions(server, owner.accountId, id, [...drive, ...late]);
    const at = from + 30 * MINUTE + 5000;
    expect(ofVehicle(await pictureAt(at), id)).toMatchObject({
      status: 'moving',
      arrivedLater: true,
      ageS: 5,
      live: { motionSince: new Date(from).toISOString(), fixAt: new Date(from + 30 * MINUTE).toISOString() },
    });
    expect(ofVehicle(await pictureAt(from + 19 * MINUTE + 1000), id)).toMatchObject({ arrivedLater: false });
    // A moment later than now is now.
    const { at: clamped } = await pictureAt(Date.now() + DAY);
    expect(Date.parse(clamped)).toBeLessThanOrEqual(Date.now());
  });

  it('has the alerts open then with how each ended, and who was inside which geofence', async () => {
    const { id } = await addVehicle(server.context, owner.accountId);
    await server.directory.settled();
    const from = TODAY - 4 * DAY;
    const alert = (n: number, openedMs: number, acknowledgedMs: number | null) => ({
      id: `00000000-0000-4000-8000-00000000000${n}`,
      account_id: owner.accountId,
      vehicle_id: id,
      kind: 'overspeed',
      severity: 'warning' as const,
      event: 'overspeed',
      opened_at: new Date(openedMs),
      updated_at: new Date(openedMs),
      closed_at: new Date(openedMs + MINUTE),
      acknowledged_at: acknowledgedMs === null ? null : new Date(acknowledgedMs),
      acknowledged_by: acknowledgedMs === null ? null : owner.userId,
    });
    await server.context.db.system
      .insertInto('alert')
      .values([
        alert(1, from, from + HOUR),
        alert(2, from + 2 * HOUR, null),
        // Arrived today, when it was long over.
        { ...alert(3, from + 90 * MINUTE, Date.now()), acknowledged_by: null, kind: 'doorOpen' },
      ])
      .execute();
    const open = async (atMs: number) => (await pictureAt(atMs)).alerts;
    expect((await open(from - 1000))?.alerts).toEqual([]);
    expect(await open(from + 1000)).toMatchObject({
      alerts: [{ id: alert(1, 0, 0).id, acknowledgedAt: new Date(from + HOUR).toISOString() }],
      unacknowledged: { critical: 0, warning: 1, info: 0 },
    });
    expect((await open(from + HOUR))?.alerts).toEqual([]);
    expect((await open(from + 90 * MINUTE + 1000))?.alerts.map(one => one.id)).toEqual([alert(3, 0, 0).id]);
    expect((await open(from + 95 * MINUTE))?.alerts).toEqual([]);
    expect((await open(Date.now()))?.alerts.map(one => one.id)).toEqual([alert(2, 0, 0).id]);

    const call = callerOf(server, owner);
    const shape = { kind: 'circle', center: [-87.68, 41.9], radiusM: 200 };
    const made = await call('POST', '/geofence', { name: 'Yard', shape });
    expect(made.status, made.text).toBe(201);
    const geofenceId = (made.body as { id: string }).id;
    await server.context.db.pool.query(
      `insert into visit (account_id, vehicle_id, geofence_id, in_at, in_before, in_known_at, in_confidence, in_lat,
         in_lon, out_at, out_before, out_known_at, out_confidence, out_lat, out_lon, is_pass)
       values ($1, $2, $3, $4, $4, $4, 1, 41.9, -87.68, $5, $5, $5, 1, 41.9, -87.68, false)`,
      [owner.accountId, id, Number(geofenceId), new Date(from), new Date(from + HOUR)],
    );
    const inside = async (atMs: number) => (await pictureAt(atMs)).inside.map(one => [one.geofenceId, one.deviceId]);
    expect(await inside(from + 1000)).toEqual([[geofenceId, String(id)]]);
    expect(await inside(from + HOUR)).toEqual([]);
    expect(await inside(from - 1000)).toEqual([]);
  });

  it('shows nothing out of sight, and nothing that is not kept any more', async () => {
    const call = callerOf(server, owner);
    const folder = (await call('POST', '/folder', { name: 'North' })).body as { id: string };
    const { id: hidden } = await addVehicle(server.context, owner.accountId);
    const { id: shown } = await addVehicle(server.context, owner.accountId);
    await server.context.db.system
      .updateTable('vehicle')
      .set({ folder_id: Number(folder.id) })
      .where('id', '=', shown)
      .execute();
    await server.directory.settled();
    const old = TODAY - 40 * DAY;
    for (const id of [hidden, shown]) {
      await storePositions(server, owner.accountId, id, [receivedPosition(old), receivedPosition(old + HOUR)]);
    }
    const dispatcher = await signedIn(server, { role: 'dispatcher', accountId: owner.accountId });
    await limit(server.context, dispatcher, { folders: [folder.id] });
    expect((await pictureAt(old + MINUTE, dispatcher)).vehicles).toMatchObject([
      { deviceId: String(shown), status: 'stopped', report: { deviceId: String(shown) } },
    ]);
    expect((await call('PATCH', '/settings', { keepPositionsDays: 30 })).status).toBe(200);
    await dropOldPositions(server.context, server.live);
    expect(ofVehicle(await pictureAt(old + MINUTE), shown)).toMatchObject({ status: 'no-data', report: null });
  });
});
