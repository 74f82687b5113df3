import 'fake-indexeddb/auto';
import { NetworkError, ProblemError } from '@milepost/client';
import type { DutyInput, MyDuty } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DutyClock, NOTICED_MS } from '../../../phone/duty-clock.ts';
import { DutyStore } from './duty-store.ts';
import { brokenAt, inputOf, newEntry } from './entry.ts';
import { momentOf } from './moment-of.ts';
import { type Answer, sendWaiting } from './send-waiting.ts';

const NOON = Date.parse('2026-11-26T12:00:00Z');
const OWNER = '7';
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const FATES = ['arrives', 'arrives', 'request lost', 'answer lost', 'killed before', 'killed after'] as const;
type Fate = (typeof FATES)[number];
class Killed extends Error {}

/** Accepts each ID once, as the contract says, and refuses entries that it can't read or doesn't allow. */
class PretendServer {
  readonly log: DutyInput[] = [];
  readonly refused = new Set<string>();
  readonly unreadable = new Set<string>();

  answer(inputs: readonly DutyInput[], nowMs: number): Answer {
    const unreadable = inputs.find(one => this.unreadable.has(one.id));
    if (unreadable) {
      throw new ProblemError({ type: '/problems/invalid-input', title: 'No.', status: 400, code: 'invalid-input' });
    }
    const outcomes = inputs.map(input => {
      if (this.log.some(one => one.id === input.id))
        return { id: input.id, result: 'known' as const, refusal: null, reason: null };
      if (this.refused.has(input.id))
        return { id: input.id, result: 'refused' as const, refusal: 'in-motion', reason: 'Stop.' };
      this.log.push(input);
      return { id: input.id, result: 'taken' as const, refusal: null, reason: null };
    });
    return { outcomes, duty: dutyAt(nowMs) };
  }
}

const dutyAt = (nowMs: number) => ({ now: new Date(nowMs).toISOString() }) as MyDuty;

const step = fc.oneof(
  fc.record({
    do: fc.constant('enter' as const),
    fit: fc.constantFrom('fine', 'fine', 'fine', 'refused', 'unreadable'),
  }),
  fc.record({
    do: fc.constant('send' as const),
    fates: fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('clock' as const), byMs: fc.integer({ min: -9e7, max: 9e7 }) }),
  fc.record({ do: fc.constant('time' as const), byMs: fc.integer({ min: 0, max: 3e7 }) }),
  fc.record({ do: fc.constant('reload' as const) }),
);

describe('[N4] a phone whose network is cut, which is killed, and whose clock jumps', () => {
  it('loses no entry, sends none twice, keeps their order, its chain, and the right time of what followed the server’s word', {
    timeout: 120_000,
  }, async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
        const name = `phone-${++run}`;
        let [realMs, wrongMs] = [NOON, 0];
        const clocks = { wall: () => realMs + wrongMs, monotonic: () => realMs - NOON };
        const server = new PretendServer();
        const entered: string[] = [];
        // Since the server's last word, the phone's clock has not been set.
        let isRight = false;
        const madeAt = new Map<string, number>();
        let store = await DutyStore.open(name);
        let clock = new DutyClock(clocks);

        const reload = async () => {
          store.close();
          store = await DutyStore.open(name);
          clock = new DutyClock(clocks);
          const kept = await store.duty(OWNER);
          const newest = (await store.entries(OWNER, 'waiting')).at(-1);
          if (kept) clock.restore(kept.clock, newest ? Date.parse(momentOf(newest)) : kept.clock.serverMs);
        };
        const send = async (fates: readonly Fate[]) => {
          const left = [...fates];
          try {
            await sendWaiting({
              store,
              owner: OWNER,
              serverMs: () => clock.now(),
              heard: ms => {
                isRight = true;
                return clock.observe(ms);
              },
              send: async inputs => {
                const fate = left.shift() ?? 'request lost';
                if (fate === 'request lost') throw new NetworkError('unreachable', null);
                if (fate === 'killed before') throw new Killed();
                const answer = server.answer(inputs, realMs);
                if (fate === 'answer lost') throw new NetworkError('unreachable', null);
                if (fate === 'killed after') throw new Killed();
                return answer;
              },
            });
          } catch (error) {
            if (error instanceof Killed) await reload();
            else expect(error).toBeInstanceOf(NetworkError);
          }
        };

        for (const one of steps) {
          if (one.do === 'enter') {
            const fresh = id(entered.length);
            if (one.fit !== 'fine') server[one.fit as 'refused' | 'unreadable'].add(fresh);
            await store.append(OWNER, newEntry(OWNER, fresh, clock.now(), { kind: 'status', status: 'ON', note: '' }));
            entered.push(fresh);
            if (isRight) madeAt.set(fresh, realMs);
          } else if (one.do === 'send') await send(one.fates);
          else if (one.do === 'clock') {
            wrongMs += one.byMs;
            isRight = false;
          } else if (one.do === 'time') realMs += one.byMs;
          else await reload();
        }
        await send(Array<Fate>(200).fill('arrives'));

        const all = await store.all(OWNER);
        expect(all.map(entry => entry.id)).toEqual(entered);
        expect(brokenAt(all)).toBeNull();
        for (const entry of all) {
          const wrongBy = Date.parse(momentOf(entry)) - (madeAt.get(entry.id) ?? Date.parse(momentOf(entry)));
          expect(Math.abs(wrongBy)).toBeLessThanOrEqual(NOTICED_MS);
        }
        // The server has exactly the entries that the phone marked as taken, in the driver's order.
        const taken = all.filter(({ state }) => state === 'taken').map(entry => entry.id);
        expect(server.log.map(entry => entry.id)).toEqual(taken);
        const refused = all.filter(({ state }) => state === 'refused').map(entry => entry.id);
        expect(refused).toEqual(entered.filter(one => server.refused.has(one) || server.unreadable.has(one)));
        expect(taken.length + refused.length).toBe(entered.length);
        store.close();
      }),
      { numRuns: 60 },
    );
  });

  it('one entry of a clock that was ahead does not make the next ones late, also without a network and after a reload', async () => {
    const store = await DutyStore.open('ahead');
    const enter = (n: number, nowMs: number) =>
      store.append(OWNER, newEntry(OWNER, id(n), nowMs, { kind: 'status', status: 'ON', note: '' }));
    const [hour, heard] = [3_600_000, (ms: number) => ({ owner: OWNER, clock: { serverMs: ms, wallMs: ms } })];
    await enter(1, NOON + 7 * hour);
    await store.keepDuty({ ...heard(NOON), duty: dutyAt(NOON) });
    await enter(2, NOON + hour);
    // The network's delay is no wrong clock.
    await enter(3, NOON + 2 * hour);
    await store.keepDuty({ ...heard(NOON + 2 * hour - 5000), duty: dutyAt(NOON + 2 * hour - 5000) });
    const waiting = await store.entries(OWNER, 'waiting');
    const wanted = [NOON, NOON + hour, NOON + 2 * hour].map(ms => new Date(ms).toISOString());
    expect(waiting.map(momentOf)).toEqual(wanted);
    expect(waiting.map(entry => inputOf(entry, NOON + 5 * hour).at)).toEqual(wanted);
    expect(brokenAt(waiting)).toBeNull();
    store.close();
  });

  it('[R2.14] follows when the server answers an entry otherwise, and leaves alone what the driver has read', async () => {
    const store = await DutyStore.open('answered-anew');
    const server = new PretendServer();
    for (const n of [1, 2, 3]) {
      await store.append(OWNER, newEntry(OWNER, id(n), NOON + n, { kind: 'status', status: 'ON', note: '' }));
      if (n !== 2) server.refused.add(id(n));
    }
    const heard = (serverMs: number) => ({ serverMs, wallMs: serverMs });
    await sendWaiting({
      ...{ store, owner: OWNER, serverMs: () => NOON, heard },
      send: async inputs => server.answer(inputs, NOON),
    });
    const states = async () => (await store.all(OWNER)).map(({ refusal, state }) => `${state} ${refusal}`);
    expect(await states()).toEqual(['refused in-motion', 'taken null', 'refused in-motion']);
    const says = (nowMs: number, answers: MyDuty['answers']) =>
      store.keepDuty({ owner: OWNER, duty: { ...dutyAt(nowMs), answers } as MyDuty, clock: heard(nowMs) });
    const moved = { id: id(2), refusal: 'in-motion', reason: 'Stop.' };
    const stood = { id: id(1), refusal: null, reason: null };
    await says(NOON + 2000, [stood, moved]);
    expect(await states()).toEqual(['taken null', 'refused in-motion', 'refused in-motion']);
    await store.markSeen(OWNER, 1);
    await says(NOON + 3000, [stood, moved]);
    // An older answer that arrives late changes nothing.
    await says(NOON + 1000, [{ ...moved, id: id(1) }]);
    expect(await states()).toEqual(['taken null', 'seen in-motion', 'refused in-motion']);
    store.close();
  });

  it('never sends what another user of the phone has entered', async () => {
    const store = await DutyStore.open('two-users');
    await store.append('7', newEntry('7', id(1), NOON, { kind: 'confirm' }));
    await store.append('8', newEntry('8', id(2), NOON, { kind: 'confirm' }));
    const server = new PretendServer();
    const sending = { store, serverMs: () => NOON, heard: (serverMs: number) => ({ serverMs, wallMs: serverMs }) };
    await sendWaiting({ ...sending, owner: '8', send: async inputs => server.answer(inputs, NOON) });
    expect(server.log.map(one => one.id)).toEqual([id(2)]);
    expect(await store.entries('7', 'waiting')).toHaveLength(1);
    store.close();
  });

  it('deletes settled entries only, the oldest first, and the rest is still a chain', async () => {
    const store = await DutyStore.open('long');
    const server = new PretendServer();
    const sending = {
      store,
      owner: OWNER,
      serverMs: () => NOON,
      heard: (serverMs: number) => ({ serverMs, wallMs: serverMs }),
    };
    for (let n = 0; n < 460; n++) await store.append(OWNER, newEntry(OWNER, id(n), NOON + n, { kind: 'confirm' }));
    await sendWaiting({ ...sending, send: async inputs => server.answer(inputs, NOON) });
    await store.append(OWNER, newEntry(OWNER, id(999), NOON, { kind: 'confirm' }));
    const all = await store.all(OWNER);
    expect(all.length).toBeLessThanOrEqual(401);
    expect(all.at(-1)?.id).toBe(id(999));
    expect(brokenAt(all)).toBeNull();
    store.close();
  });

  it('an older answer that comes later changes nothing', async () => {
    const store = await DutyStore.open('overtaken');
    const kept = (ms: number) => ({ owner: OWNER, duty: dutyAt(ms), clock: { serverMs: ms, wallMs: ms } });
    await store.keepDuty(kept(NOON + 1000));
    await store.keepDuty(kept(NOON));
    expect((await store.duty(OWNER))?.duty.now).toBe(new Date(NOON + 1000).toISOString());
    store.close();
  });
});
