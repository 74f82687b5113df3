import 'fake-indexeddb/auto';
import { createHttpClient, NetworkError } from '@milepost/client';
import {
  ALL_ROUTES,
  changePassword,
  createDriver,
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DutyStore } from '../apps/web/src/features/eld-driver/store/duty-store.ts';
import { brokenAt, newEntry } from '../apps/web/src/features/eld-driver/store/entry.ts';
import { sendWaiting } from '../apps/web/src/features/eld-driver/store/send-waiting.ts';
import { shownDuty } from '../apps/web/src/features/eld-driver/store/shown-duty.ts';
import { newKeys, publicKeyOf } from '../apps/web/src/phone/device-key.ts';
import { DutyClock } from '../apps/web/src/phone/duty-clock.ts';
import { newId } from '../apps/web/src/phone/new-id.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { ownerApi } from './support/session.ts';

const STEPS = 30;
const PASSWORD = 'interstate 81 northbound';
const FATES = ['arrives', 'request lost', 'answer lost', 'killed before', 'killed after'] as const;
class Killed extends Error {}

let milepost: Milepost;
beforeAll(async () => {
  milepost = await startMilepost();
});
afterAll(() => milepost?.close());

let drivers = 0;
/** A new driver who keeps a log, signed in. */
async function newDriver() {
  const owner = await ownerApi(milepost);
  const userName = `driver.${++drivers}`;
  await owner.call(registerUser, { body: { userName, password: PASSWORD, displayName: userName, role: 'driver' } });
  const user = (await owner.call(readMyUsers)).find(one => one.userName === userName);
  const driver = await owner.call(createDriver, { body: { name: userName, userId: user?.id ?? null } });
  await owner.call(updateLogSettings, { params: { driverId: driver.id }, body: { keepsLog: true } });
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await http.call(signIn, { body: { userName, password: PASSWORD } }));
  const body = { oldPassword: PASSWORD, newPassword: 'a thermos of coffee', endOtherSessions: false };
  ({ token } = await http.call(changePassword, { body }));
  return http;
}

const entered: fc.Arbitrary<DutyAction> = fc.oneof(
  fc.constantFrom('OFF', 'SB', 'ON').map(status => ({ kind: 'status' as const, status, note: '' }) as DutyAction),
  fc.constant<DutyAction>({ kind: 'confirm' }),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('enter' as const), action: entered }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send' as const), fate: fc.constantFrom(...FATES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clock' as const), byMs: fc.integer({ min: -9e7, max: 9e7 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reload' as const }) },
);

describe.skipIf(!ALL_ROUTES.includes(recordDuty))(
  '[N4] a phone that goes offline, is killed and has a wrong clock',
  () => {
    let runs = 0;
    const survives = async (numRuns: number) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async steps => {
          const http = await newDriver();
          const name = `cut-${++runs}`;
          const owner = 'me';
          let wrongMs = 0;
          const clocks = { wall: () => Date.now() + wrongMs, monotonic: () => performance.now() };
          let store = await DutyStore.open(name);
          let clock = new DutyClock(clocks);
          const made: string[] = [];

          const hear = async () => {
            const duty = await http.call(readMyDuty);
            await store.keepDuty({ owner, duty, clock: clock.observe(Date.parse(duty.now)) });
          };
          const reload = async () => {
            store.close();
            store = await DutyStore.open(name);
            clock = new DutyClock(clocks);
            const kept = await store.duty(owner);
            const newest = (await store.entries(owner, 'waiting')).at(-1);
            if (kept) clock.restore(kept.clock, newest ? Date.parse(newest.at) : kept.clock.serverMs);
          };
          const send = async (fate: (typeof FATES)[number]) => {
            try {
              // As the app does, get the server's state first.
              if (fate !== 'request lost') await hear();
              await sendWaiting({
                store,
                owner,
                serverMs: () => clock.now(),
                heard: ms => clock.observe(ms),
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

          await hear();
          const phoneId = newId();
          const keys = await newKeys();
          const pin = { salt: '', hash: '', wrong: 0, lastWrongMs: 0 };
          await store.enroll({ owner, phoneId, name: 'Phone', keys, isKnown: true, pin }, START);
          const { after } = (await store.enrollment(owner)) ?? {};
          if (!after) throw new Error('The phone has not kept its enrollment.');
          const publicKey = await publicKeyOf(keys);
          await http.call(enrollPhone, { body: { id: phoneId, name: 'Phone', publicKey, after } });
          for (const one of steps) {
            if (one.do === 'enter') {
              const id = newId();
              await store.append(owner, newEntry(owner, id, clock.now(), one.action));
              made.push(id);
            } else if (one.do === 'send') await send(one.fate);
            else if (one.do === 'clock') wrongMs += one.byMs;
            else await reload();
          }
          await send('arrives');
          await hear();

          const all = await store.all(owner);
          expect(all.map(({ id }) => id)).toEqual(made);
          expect(brokenAt(all)).toBeNull();
          expect(all.filter(({ state }) => state === 'waiting')).toEqual([]);
          // Sent again, each entry is recognized or refused as before, so nothing is recorded twice.
          const word = (await store.duty(owner))?.duty;
          const again = all.map(({ id, at, action }) => ({ id, at, action }));
          if (again.length > 0) {
            const { outcomes } = await http.call(recordDuty, { body: { inputs: again } });
            expect(outcomes.map(({ result }) => result === 'refused')).toEqual(
              all.map(({ state }) => state === 'refused'),
            );
            expect(outcomes.some(({ result }) => result === 'taken')).toBe(false);
          }
          // Every entry that arrived was signed, and its chain is whole on the server too.
          const [phone] = await http.call(listMyPhones);
          expect(phone).toMatchObject({ id: phoneId, entries: made.length, findings: [] });
          const server = await http.call(readMyDuty);
          const taken = all.filter(({ action, state }) => state === 'taken' && action.kind === 'status');
          const records = server.days
            .flatMap(day => day.records)
            .filter(({ origin, type }) => type === 1 && origin === 'driver');
          expect(records).toHaveLength(taken.length);
          expect(word && shownDuty(word, [], Date.parse(word.now)).row.status).toBe(server.row.status);
          expect(word?.dutyLog.segments.map(({ status }) => status)).toEqual(
            server.dutyLog.segments.map(({ status }) => status),
          );
          store.close();
        }),
        { numRuns },
      );
    };

    it('loses nothing, sends nothing twice, and shows the server’s log', { timeout: 240_000 }, () => survives(6));
    it('the same in 500 random days', { timeout: 3_600_000, tags: ['long'] }, () => survives(500));
  },
);
