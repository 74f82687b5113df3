import type { PositionMessage } from '@milepost/decoders';
import { degrees, epochMs, fromKilometresPerHour } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAllCounted } from '../../../../testing/counted-days.ts';
import { itHolds } from '../../../../testing/few-and-many.ts';
import {
  addVehicle,
  positionMessage,
  startPipeline,
  type TestPipeline,
  type TestVehicle,
} from '../../../../testing/ingest.ts';
import { type Directory, openDirectory } from '../../../fleet/directory.ts';
import { loadLiveStates } from '../../../fleet/live.ts';
import { createAccount } from '../../accounts/accounts.ts';
import { type DailyFigures, openDailyFigures } from './daily-figures.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CATCH_UP_TIMEOUT_MS = 10_000;

let pipe: TestPipeline;
let directory: Directory;
let accountId: number;

beforeAll(async () => {
  pipe = await startPipeline();
  directory = await openDirectory(pipe.context);
  accountId = await createAccount(pipe.context.db, { name: 'Figures' });
});
afterAll(() => pipe.close());

async function makeVehicle(): Promise<TestVehicle> {
  const vehicle = await addVehicle(pipe.context, accountId);
  await directory.settled();
  return vehicle;
}

const open = () => openDailyFigures(pipe.context, { directory, live: pipe.live });
/** As another process finds it. */
const openAfresh = async () =>
  openDailyFigures(pipe.context, { directory, live: await loadLiveStates(pipe.context.db.system) });

const send = (vehicle: TestVehicle, positions: readonly PositionMessage[], receivedAt = Date.now()) =>
  pipe.pipeline.accept(vehicle, positions, 'teltonika', epochMs(receivedAt));

const compare = (figures: DailyFigures, vehicle: TestVehicle, days?: number) =>
  expectAllCounted(pipe.context, figures, vehicle, days);

const step = fc.record({
  gapS: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 120 }) },
    { weight: 3, arbitrary: fc.integer({ min: 120, max: 3000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 3000, max: 130_000 }) },
  ),
  kmh: fc.constantFrom(0, 0, 4, 30, 90),
  ignition: fc.constantFrom(true, true, false, null),
  kind: fc.constantFrom('good', 'good', 'good', 'good', 'good', 'invalid', 'jump', 'ahead'),
});

/** A drive that ends now. One fix in eight is not to be believed; some have a clock that is hours ahead. */
const drive = fc.array(step, { minLength: 1, maxLength: 50 }).map(steps => {
  const lengthS = steps.reduce((sum, { gapS }) => sum + gapS, 0);
  let atMs = Date.now() - MINUTE - lengthS * 1000;
  let way = 0;
  // The last one passes all that were ahead.
  return [...steps, { gapS: 20, kmh: 0, ignition: false, kind: 'good' }].map(({ gapS, kmh, ignition, kind }) => {
    atMs += gapS * 1000;
    way += Math.min((kmh / 3600) * gapS, 50);
    const wrong = kind === 'ahead' ? Math.min(5 * HOUR, (Date.now() - MINUTE - atMs) / 2) : 0;
    return {
      receivedMs: atMs + 1000,
      position: positionMessage(Math.floor(atMs + wrong), {
        lon: degrees(-87.68 + (way + (kind === 'jump' ? 900 : 0)) / 82.85),
        speed: fromKilometresPerHour(kmh),
        ignition,
        valid: kind !== 'invalid',
      }),
    };
  });
});

/** What else happens between two messages: it is counted, the program ends or is killed and starts again. */
const event = fc.constantFrom('nothing', 'nothing', 'nothing', 'count', 'restart', 'kill');

describe('daily figures and trips', () => {
  itHolds(
    '[I6] are those of the day route for positions in any order, late and repeated, counted at any time, through restarts',
    { few: 8, many: 60 },
    async numRuns => {
      const story = drive.chain(sent =>
        fc.record({
          sent: fc.constant(sent),
          order: fc.oneof(
            fc.constant(sent.map((_, i) => i)),
            fc.shuffledSubarray(
              sent.map((_, i) => i),
              { minLength: sent.length },
            ),
            // In order, but for a memory that is read out at the end.
            fc.nat({ max: sent.length }).map(cut => [...sent.keys()].slice(cut).concat([...sent.keys()].slice(0, cut))),
          ),
          again: fc.subarray(sent.map((_, i) => i)),
          packet: fc.integer({ min: 1, max: 20 }),
          events: fc.array(event, { maxLength: 30 }),
        }),
      );
      await fc.assert(
        fc.asyncProperty(story, async ({ sent, order, again, packet, events }) => {
          const vehicle = await makeVehicle();
          let figures = open();
          const queue = [...order, ...again];
          for (let i = 0; i < queue.length; i += packet) {
            const messages = queue.slice(i, i + packet).map(index => sent[index]!);
            const receivedMs = Math.max(...messages.map(message => message.receivedMs));
            await send(
              vehicle,
              messages.map(message => message.position),
              receivedMs,
            );
            const happens = events[i / packet] ?? 'nothing';
            if (happens === 'count') await figures.manager.catchUp(accountId, [vehicle.id], CATCH_UP_TIMEOUT_MS);
            if (happens === 'restart') await figures.manager.stop();
            if (happens === 'restart' || happens === 'kill') figures = open();
          }
          await compare(figures, vehicle);
          await compare(await openAfresh(), vehicle);
        }),
        { numRuns },
      );
    },
  );

  it('of a long drive across midnight go on where they were, fix by fix', async () => {
    const vehicle = await makeVehicle();
    const figures = open();
    await figures.manager.catchUp(accountId, [vehicle.id], CATCH_UP_TIMEOUT_MS);
    const calendar = figures.calendar(accountId);
    const midnight = calendar.startOf(calendar.dayOf(Date.now()) - 2);
    for (let i = 0; i < 12; i++) {
      const positions = Array.from({ length: 60 }, (_, nth) => {
        const atS = (i * 60 + nth) * 20;
        return positionMessage(midnight - 2 * HOUR + atS * 1000, {
          lon: degrees(-87.68 + (atS * 0.02) / 82.85),
          speed: fromKilometresPerHour(72),
        });
      });
      await send(vehicle, positions);
      await figures.manager.catchUp(accountId, [vehicle.id], CATCH_UP_TIMEOUT_MS);
    }
    await compare(figures, vehicle, 5);
    await compare(await openAfresh(), vehicle, 5);
  });

  it('are counted again in the account’s new time zone', async () => {
    const vehicle = await makeVehicle();
    await send(vehicle, [positionMessage(Date.now() - 30 * HOUR), positionMessage(Date.now() - 30 * HOUR + MINUTE)]);
    const figures = open();
    await compare(figures, vehicle, 4);
    const set = { account_id: accountId, name: 'timeZone', value: JSON.stringify('Asia/Kolkata') };
    await pipe.context.db.system.insertInto('account_setting').values(set).execute();
    await compare(figures, vehicle, 4);
    expect(figures.calendar(accountId).zone).toBe('Asia/Kolkata');
    await pipe.context.db.system.deleteFrom('account_setting').where('account_id', '=', accountId).execute();
    await compare(figures, vehicle, 4);
  });

  it('mark days into which positions come late with the positions themselves', async () => {
    const vehicle = await makeVehicle();
    const marks = () =>
      pipe.context.db.system.selectFrom('vehicle_day_stale').selectAll().where('vehicle_id', '=', vehicle.id).execute();
    const now = Date.now();
    await send(vehicle, [positionMessage(now - MINUTE)]);
    expect(await marks()).toEqual([]);
    const late = Math.floor((now - 3 * DAY) / HOUR) * HOUR;
    await send(vehicle, [positionMessage(late), positionMessage(late + 1000)]);
    await send(vehicle, [positionMessage(late)]);
    // Both in one, and the repetition is none.
    expect(await marks()).toEqual([expect.objectContaining({ marks: '1' })]);
    await compare(open(), vehicle, 5);
    expect(await marks()).toEqual([]);
  });
});
