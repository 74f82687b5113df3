import 'fake-indexeddb/auto';
import { createHttpClient, NetworkError } from '@milepost/client';
import {
  ALL_ROUTES,
  changePassword,
  createDriver,
  createVehicle,
  type DutyAction,
  enrollPhone,
  listMyPhones,
  readMyDuty,
  readMyUsers,
  recordDuty,
  registerUser,
  signIn,
  updateLogSettings,
} from '@milepost/contract';
import { START } from '@milepost/eld';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { testImei } from '../apps/server/testing/imei.ts';
import { DutyStore } from '../apps/web/src/features/eld-driver/store/duty-store.ts';
import { brokenAt, newEntry } from '../apps/web/src/features/eld-driver/store/entry.ts';
import { momentOf } from '../apps/web/src/features/eld-driver/store/moment-of.ts';
import { sendWaiting } from '../apps/web/src/features/eld-driver/store/send-waiting.ts';
import { shownDuty } from '../apps/web/src/features/eld-driver/store/shown-duty.ts';
import { newKeys, publicKeyOf } from '../apps/web/src/phone/device-key.ts';
import { DutyClock, NOTICED_MS } from '../apps/web/src/phone/duty-clock.ts';
import { newId } from '../apps/web/src/phone/new-id.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { ownerApi } from './support/session.ts';

const STEPS = 30;
const PASSWORD = 'interstate 81 northbound';
const FATES = ['arrives', 'request lost', 'answer lost', 'killed before', 'killed after'] as const;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
class Killed extends Error {}

/** `PHONE_SEED=7 PHONE_DAYS=2000` for other days, or more of them; one that fails says how to see it again. */
const SEED = Number(process.env.PHONE_SEED ?? 1981);
const DAYS = Number(process.env.PHONE_DAYS ?? 500);

let milepost: Milepost;
beforeAll(async () => {
  milepost = await startMilepost();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => milepost?.close());

let drivers = 0;
/** A new driver who keeps a log, signed in, and a vehicle of theirs. */
async function newDriver() {
  const owner = await ownerApi(milepost);
  const userName = `driver.${++drivers}`;
  await owner.call(registerUser, { body: { userName, password: PASSWORD, displayName: userName, role: 'driver' } });
  const user = (await owner.call(readMyUsers)).find(one => one.userName === userName);
  const driver = await owner.call(createDriver, { body: { name: userName, userId: user?.id ?? null } });
  const vehicle = await owner.call(createVehicle, {
    body: { imei: testImei(400_000 + drivers), deviceName: `Unit ${drivers}` },
  });
  const body = { keepsLog: true, personalUse: true, yardMoves: true };
  await owner.call(updateLogSettings, { params: { driverId: driver.id }, body });
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  // As on a phone of one's own: a day here may be longer than the 12 hours of a session that is not kept.
  ({ token } = await http.call(signIn, { body: { userName, password: PASSWORD, keepSignedIn: true } }));
  const changed = { oldPassword: PASSWORD, newPassword: 'a thermos of coffee', endOtherSessions: false };
  ({ token } = await http.call(changePassword, { body: changed }));
  return { http, driverId: Number(driver.id), vehicleId: vehicle.id };
}

type Entered = 'sign-in' | Exclude<DutyAction, { kind: 'sign-in' }>;
const rested = fc.constantFrom('OFF' as const, 'SB' as const, 'ON' as const);
const entered: fc.Arbitrary<Entered> = fc.oneof(
  { weight: 4, arbitrary: rested.map(status => ({ kind: 'status' as const, status, note: '' })) },
  fc.constantFrom('PC' as const, 'YM' as const).map(status => ({ kind: 'status' as const, status, note: '' })),
  fc.constant('sign-in' as const),
  rested.map(status => ({ kind: 'sign-out' as const, status })),
  fc.constantFrom<Entered>({ kind: 'confirm' }, { kind: 'load', trailers: '53017', shippingDocument: 'BOL 9' }),
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('enter' as const), action: entered }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.nat({ max: 3 * SECOND }), fc.nat({ max: 200 * MINUTE })),
      isAsleep: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send' as const), fate: fc.constantFrom(...FATES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clock' as const), byMs: fc.integer({ min: -9e7, max: 9e7 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reload' as const }) },
);

/** One line for each change of the status, from when on; the rest before the log is none. */
type Line = readonly [atSecond: number, status: string];
const changesOf = (lines: readonly Line[]): Line[] => {
  // Of what falls in one second the last counts.
  const last = lines.filter(([at], nth) => lines[nth + 1]?.[0] !== at);
  return last.filter(([, status], nth) => status !== (last[nth - 1]?.[1] ?? 'OFF'));
};

/** What the log must show, by the entries that the server says it has taken, and nothing else. */
function logOf(taken: readonly { readonly atMs: number; readonly action: DutyAction }[]): Line[] {
  let status = 'OFF';
  return changesOf(
    taken.map(({ action, atMs }): Line => {
      if (action.kind === 'status' || action.kind === 'sign-out') status = action.status ?? 'OFF';
      // Whoever signs in ends personal use, or a yard move.
      else if (action.kind === 'sign-in') status = status === 'PC' ? 'OFF' : status === 'YM' ? 'ON' : status;
      return [Math.floor(atMs / SECOND), status];
    }),
  );
}

describe.skipIf(!ALL_ROUTES.includes(recordDuty))(
  '[N4] a phone that goes offline, is killed and has a wrong clock',
  () => {
    let runs = 0;
    const survives = async (numRuns: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async steps => {
          const { driverId, http, vehicleId } = await newDriver();
          const name = `cut-${++runs}`;
          const owner = 'me';
          let wrongMs = 0;
          /** What the page's own clock has counted. */
          let awakeMs = 0;
          /** Whether the clock was set since the phone last heard the server. */
          let isSet = false;
          const clocks = { wall: () => Date.now() + wrongMs, monotonic: () => awakeMs };
          let store = await DutyStore.open(name);
          let clock = new DutyClock(clocks);
          const made: { readonly id: string; readonly trueMs: number | null }[] = [];

          const heard = (serverMs: number) => {
            isSet = false;
            return clock.observe(serverMs);
          };
          const hear = async () => {
            const duty = await http.call(readMyDuty);
            await store.keepDuty({ owner, duty, clock: heard(Date.parse(duty.now)) });
          };
          const reload = async () => {
            store.close();
            store = await DutyStore.open(name);
            awakeMs = 0;
            clock = new DutyClock(clocks);
            const kept = await store.duty(owner);
            const newest = (await store.entries(owner, 'waiting')).at(-1);
            if (kept) clock.restore(kept.clock, newest ? Date.parse(momentOf(newest)) : kept.clock.serverMs);
          };
          const send = async (fate: (typeof FATES)[number]) => {
            try {
              // As the app does, get the server's time first, unless it is known.
              if (fate !== 'request lost' && !clock.isSure()) await hear();
              await sendWaiting({
                store,
                owner,
                serverMs: () => clock.now(),
                heard,
                send: async inputs => {
                  if (fate === 'request lost') throw new NetworkError('unreachable', null);
                  if (fate === 'killed before') throw new Killed();
                  const answer = await http.call(recordDuty, { body: { inputs } });
                  if (fate === 'answer lost') throw new NetworkError('unreachable', null);
                  if (fate === 'killed after') throw new Killed();
                  return answer;
                },
              });
            } catch (error) {
              if (error instanceof Killed) await reload();
              else if (!(error instanceof NetworkError)) throw error;
            }
          };
          const enter = async (action: DutyAction) => {
            const id = newId();
            await store.append(owner, newEntry(owner, id, clock.now(), action));
            made.push({ id, trueMs: isSet ? null : Date.now() });
          };

          await hear();
          const phoneId = newId();
          const keys = await newKeys();
          const pin = { salt: '', hash: '', wrong: 0, lastWrongMs: 0 };
          await store.enroll({ owner, phoneId, name: 'Phone', keys, isKnown: true, pin }, START);
          const { after } = (await store.enrollment(owner)) ?? {};
          if (!after) throw new Error('The phone has not kept its enrollment.');
          const publicKey = await publicKeyOf(keys);
          await http.call(enrollPhone, { body: { id: phoneId, name: 'Phone', publicKey, after } });
          const signsIn: DutyAction = { kind: 'sign-in', vehicleId };
          await enter(signsIn);
          for (const one of steps) {
            if (one.do === 'enter') await enter(one.action === 'sign-in' ? signsIn : one.action);
            else if (one.do === 'send') await send(one.fate);
            else if (one.do === 'pass') {
              vi.setSystemTime(Date.now() + one.ms);
              if (!one.isAsleep) awakeMs += one.ms;
            } else if (one.do === 'clock') {
              wrongMs += one.byMs;
              isSet = true;
            } else await reload();
          }
          await send('arrives');
          await hear();

          const all = await store.all(owner);
          expect(all.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
          expect(brokenAt(all)).toBeNull();
          expect(all.filter(({ state }) => state === 'waiting')).toEqual([]);
          // Sent again, each entry is recognized or refused as before, so nothing is recorded twice.
          const word = (await store.duty(owner))?.duty;
          const again = all.map(({ id, at, action }) => ({ id, at, action }));
          const { outcomes } = await http.call(recordDuty, { body: { inputs: again } });
          expect(outcomes.map(({ result }) => result === 'refused')).toEqual(
            all.map(({ state }) => state === 'refused'),
          );
          expect(outcomes.some(({ result }) => result === 'taken')).toBe(false);
          // Every entry that arrived was signed, and its chain is whole on the server too.
          const [phone] = await http.call(listMyPhones);
          expect(phone).toMatchObject({ id: phoneId, entries: made.length, findings: [] });

          const kept = await milepost.app.context.db.system
            .selectFrom('duty_input')
            .select(['id', 'at', 'received_at', 'refusal'])
            .where('driver_id', '=', driverId)
            .orderBy('seq')
            .execute();
          // In the order in which they were made, each at its time: the right one but for what passes for the network's
          // delay, unless the clock was set since the phone last heard the time.
          expect(kept.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
          for (const [nth, { at, received_at }] of kept.entries()) {
            expect(at.getTime()).toBeGreaterThanOrEqual(kept[nth - 1]?.at.getTime() ?? 0);
            expect(at.getTime()).toBeLessThanOrEqual(received_at.getTime());
            const { trueMs = null } = made[nth] ?? {};
            if (trueMs !== null) expect(Math.abs(at.getTime() - trueMs)).toBeLessThan(NOTICED_MS + 3 * SECOND);
          }
          const taken = all.flatMap(({ action, state }, nth) =>
            state === 'taken' ? [{ action, atMs: kept[nth]?.at.getTime() ?? 0 }] : [],
          );
          const server = await http.call(readMyDuty);
          const shown = server.dutyLog.segments.map(({ start, status }): Line => [Date.parse(start) / SECOND, status]);
          expect(changesOf(shown)).toEqual(logOf(taken));
          expect(word && shownDuty(word, [], Date.parse(word.now)).row.status).toBe(server.row.status);
          expect(word?.dutyLog.segments).toEqual(server.dutyLog.segments);
          store.close();
        }),
        { numRuns, seed: SEED },
      );
    };

    it('loses nothing, sends nothing twice, and shows the server’s log', { timeout: 240_000 }, () => survives(6));
    it(`the same in ${DAYS} random days`, { timeout: 3_600_000, tags: ['long'] }, () => survives(DAYS));
  },
);
