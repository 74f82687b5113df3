import { randomUUID } from 'node:crypto';
import { degrees } from '@milepost/units';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { addNamedVehicle, type Caller, callerOf, limit } from '../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../testing/stored-positions.ts';

const MINUTE = 60_000;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

let owner: SignedIn;
let desk: Caller;
let truck: { readonly id: string; readonly imei: string };
let now: number;

beforeEach(async () => {
  owner = await signedIn(server);
  desk = callerOf(server, owner);
  truck = await addNamedVehicle(server, owner.accountId, '4127');
  now = Math.floor(Date.now() / 1000) * 1000;
});

interface Person extends SignedIn {
  readonly id: string;
  enter(at: number, action: object): Promise<void>;
}
/** A driver with a log and a phone. */
async function driver(name: string, card: string | null = null): Promise<Person> {
  const user = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
  const { body } = await desk('POST', '/driver', { name, card, userId: user.userId });
  const { id } = body as { id: string };
  await server.context.db.system
    .insertInto('log_setting')
    .values({ account_id: owner.accountId, driver_id: Number(id), keeps_log: true })
    .execute();
  await server.organisation.roster.settled();
  return {
    ...{ ...user, id },
    enter: async (at, action) => {
      const inputs = [{ id: randomUUID(), at: new Date(at).toISOString(), action }];
      const answer = await callerOf(server, user)('POST', '/eld/duty', { inputs });
      expect(answer.body).toMatchObject({ outcomes: [{ result: 'taken' }] });
      await server.context.feed.settled();
    },
  };
}
const usually = async (person: Pick<Person, 'id'> | null) => {
  const change = { usualDriverId: person?.id ?? null };
  expect((await desk('PATCH', `/device/${truck.id}`, change)).status).toBe(200);
  await server.context.feed.settled();
};
const reports = async (rfid: string | null) => {
  const position = receivedPosition(now - MINUTE, { rfid, lat: degrees(41.9), lon: degrees(-87.68) });
  await storePositions(server, owner.accountId, Number(truck.id), [position]);
  server.organisation.driving.reported(owner.accountId, Number(truck.id), null, rfid);
};
const shown = async () => {
  const { driver: drives } = (await desk('GET', `/device/${truck.id}`)).body as {
    driver: { name: string; source: string } | null;
  };
  return drives && [drives.name, drives.source];
};
const entry = () => {
  const found = server.directory.findById(Number(truck.id));
  if (!found) throw new Error('The truck is gone');
  return found;
};
const at = (minutesAgo: number, card: string | null = null) => {
  const found = server.organisation.driving.at(entry(), now - minutesAgo * MINUTE, card);
  return found && [found.driver.name, found.source];
};
const during = (from: number, to: number, cards: readonly string[] = []) =>
  server.organisation.driving
    .during(entry(), now - from * MINUTE, now - to * MINUTE, cards)
    .map(({ driver: { name }, source }) => [name, source]);

describe('[R7.04] who drives a vehicle', () => {
  it('is whoever is signed in on the phone, then the holder of the card, then the usual driver', async () => {
    const [una, sam] = [await driver('Una'), await driver('Sam')];
    await driver('Cara', '04CA');
    expect(await shown()).toBeNull();
    await usually(una);
    expect(await shown()).toEqual(['Una', 'usual']);
    await reports('04CA');
    expect(await shown()).toEqual(['Cara', 'card']);
    await sam.enter(now - MINUTE, { kind: 'sign-in', vehicleId: truck.id });
    expect(await shown()).toEqual(['Sam', 'signed-in']);
    // Sam sees the vehicle while they are signed in.
    expect((await callerOf(server, sam)('GET', '/device')).body).toMatchObject([{ id: truck.id }]);
    const listed = (await desk('GET', `/driver/${sam.id}`)).body;
    expect(listed).toMatchObject({ vehicle: { id: truck.id, source: 'signed-in' } });
    await sam.enter(now, { kind: 'sign-out', status: 'OFF' });
    expect(await shown()).toEqual(['Cara', 'card']);
    expect((await callerOf(server, sam)('GET', '/device')).body).toEqual([]);
    // The same of a moment in the past.
    expect(at(0.5, '04CA')).toEqual(['Sam', 'signed-in']);
    expect(at(3, '04CA')).toEqual(['Cara', 'card']);
  });

  it('is not its usual driver while they are signed in to another vehicle', async () => {
    const una = await driver('Una');
    const other = await addNamedVehicle(server, owner.accountId, '4128');
    await usually(una);
    await una.enter(now - MINUTE, { kind: 'sign-in', vehicleId: other.id });
    expect(await shown()).toBeNull();
  });

  it('is corrected by a sign-in that a phone kept while it had no network', async () => {
    const [sam, una] = [await driver('Sam'), await driver('Una')];
    await usually(una);
    await sam.enter(now - 10 * MINUTE, { kind: 'sign-in', vehicleId: truck.id });
    await una.enter(now - 40 * MINUTE, { kind: 'sign-in', vehicleId: truck.id });
    expect(at(60)).toEqual(['Una', 'usual']);
    expect(at(30)).toEqual(['Una', 'signed-in']);
    expect(at(5)).toEqual(['Sam', 'signed-in']);
    expect(await shown()).toEqual(['Sam', 'signed-in']);
  });

  it('of a time is everyone who was signed in; a card or the usual driver for what is left', async () => {
    const [una, sam] = [await driver('Una'), await driver('Sam')];
    await driver('Cara', '04CB');
    await usually(una);
    await sam.enter(now - 60 * MINUTE, { kind: 'sign-in', vehicleId: truck.id });
    await sam.enter(now - 30 * MINUTE, { kind: 'sign-out', status: 'OFF' });
    expect(during(58, 32, ['04CB'])).toEqual([['Sam', 'signed-in']]);
    // A few minutes before the sign-in are theirs as well.
    expect(during(63, 32)).toEqual([['Sam', 'signed-in']]);
    expect(during(90, 40, ['04CB'])).toEqual([
      ['Sam', 'signed-in'],
      ['Cara', 'card'],
    ]);
    expect(during(90, 40)).toEqual([['Sam', 'signed-in']]);
    expect(during(20, 10, ['04CB'])).toEqual([['Cara', 'card']]);
    expect(during(20, 10)).toEqual([['Una', 'usual']]);
    expect(during(45, 45)).toEqual([['Sam', 'signed-in']]);
  });
});

describe('[R6.03] the past of a vehicle', () => {
  /** The reports that a caller gets, in minutes before now, in every way in which the past leaves the server. */
  const seenBy = async (as: Caller) => {
    const period = `from=${new Date(now - 120 * MINUTE).toISOString()}&to=${new Date(now).toISOString()}`;
    const minutesOf = (text: string) =>
      text.split('\n').flatMap(line => {
        const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0];
        return time === undefined ? [] : [Math.round((now - Date.parse(time)) / MINUTE)];
      });
    const ago = ({ reportDate, reportTime }: { reportDate: string; reportTime: string }) =>
      Math.round((now - Date.parse(`${reportDate}T${reportTime}Z`)) / MINUTE);
    const positions = (await as('GET', `/position?deviceId=${truck.id}&${period}`)).body as Parameters<typeof ago>[0][];
    const messages = (await as('GET', `/device/${truck.id}/message`)).body as { report: never }[];
    const file = await as('GET', `/track_file?vehicles=${truck.id}&format=csv&${period}`);
    const inside = await as('POST', '/device/inside', {
      ...{ from: new Date(now - 120 * MINUTE).toISOString(), to: new Date(now).toISOString() },
      area: { kind: 'circle', center: [-87.68, 41.9], radiusM: 1000 },
    });
    // Drivers have no geofences, and may not ask.
    if (inside.status !== 403) {
      const [found] = inside.body as { firstAt: string; lastAt: string }[];
      const [first, last] = [positions[0], positions.at(-1)];
      expect(found && minutesOf(`${found.firstAt}\n${found.lastAt}`)).toEqual(first && last && [ago(first), ago(last)]);
    }
    expect(messages.map(({ report }) => ago(report)).toReversed()).toEqual(positions.map(ago));
    expect(minutesOf(file.text)).toEqual(positions.map(ago));
    return positions.map(ago);
  };

  it('is seen by drivers where they were signed in, and by nobody else through who drives it now', async () => {
    const [una, sam] = [await driver('Una'), await driver('Sam')];
    await driver('Cara', '04CC');
    await usually(una);
    await sam.enter(now - 60 * MINUTE, { kind: 'sign-in', vehicleId: truck.id });
    await sam.enter(now - 30 * MINUTE, { kind: 'sign-out', status: 'OFF' });
    const sent = [
      [90, null],
      [50, null],
      [40, '04CC'],
      [20, null],
      [15, '04CC'],
    ] as const;
    await storePositions(
      server,
      owner.accountId,
      Number(truck.id),
      sent.map(([minutes, rfid]) =>
        receivedPosition(now - minutes * MINUTE, { rfid, lat: degrees(41.9), lon: degrees(-87.68) }),
      ),
    );
    const [unas, sams] = [callerOf(server, una), callerOf(server, sam)];
    // Nobody's card is in it now: its usual driver has it.
    await reports(null);
    expect(await seenBy(unas)).toEqual([90, 20, 1]);
    expect((await sams('GET', `/device/${truck.id}/message`)).status).toBe(404);
    await sam.enter(now - 2 * MINUTE, { kind: 'sign-in', vehicleId: truck.id });
    expect(await seenBy(sams)).toEqual([50, 40, 1]);
    expect((await unas('GET', `/device/${truck.id}/message`)).status).toBe(404);
    // Someone who sees it because of Sam's department sees the same.
    const { id } = (await desk('POST', '/department', { name: 'Sam’s' })).body as { id: string };
    await desk('PATCH', `/driver/${sam.id}`, { departmentId: id });
    const viewer = await signedIn(server, { accountId: owner.accountId, role: 'viewer' });
    await limit(server.context, viewer, { departments: [id] });
    await server.organisation.roster.settled();
    expect(await seenBy(callerOf(server, viewer))).toEqual([50, 40, 1]);
    expect(await seenBy(desk)).toEqual([90, 50, 40, 20, 15, 1]);
    // Where it was at a moment at which someone else drove it is no answer for Sam.
    const then = (await sams('GET', `/fleet/at?at=${new Date(now - 16 * MINUTE).toISOString()}`)).text;
    expect(then).not.toContain(new Date(now - 20 * MINUTE).toISOString());
  });
});

describe('the usual driver of a past time', () => {
  it('stays that of the time; it is not known since when the first one drives it', async () => {
    const [una, ben] = [await driver('Una'), await driver('Ben')];
    await usually(una);
    await usually(ben);
    await usually(null);
    const rows = await server.context.db.system
      .selectFrom('driver_span')
      .select(['driver_id', 'from_at', 'to_at'])
      .where('vehicle_id', '=', Number(truck.id))
      .orderBy('id')
      .execute();
    expect(rows.map(({ driver_id }) => String(driver_id))).toEqual([una.id, ben.id]);
    expect(rows.map(({ from_at, to_at }) => [from_at === null, to_at === null])).toEqual([
      [true, false],
      [false, false],
    ]);
    const [first, second] = rows;
    const then = (row: typeof first) =>
      server.organisation.driving.at(entry(), row?.from_at?.getTime() ?? 0, null)?.driver.name;
    expect([then(first), then(second)]).toEqual(['Una', 'Ben']);
    expect(at(60)).toEqual(['Una', 'usual']);
    expect(at(-1)).toBeNull();
  });

  it('of a vehicle that was created with one counts for all time before', async () => {
    const una = await driver('Una');
    const fields = { imei: '490154203237518', deviceName: 'New', usualDriverId: una.id };
    const made = (await desk('POST', '/device', fields)).body as { id: string };
    await server.context.feed.settled();
    const vehicle = server.directory.findById(Number(made.id));
    if (!vehicle) throw new Error('The vehicle is gone');
    expect(server.organisation.driving.at(vehicle, now - 500 * 24 * 60 * MINUTE, null)?.driver.name).toBe('Una');
  });
});
