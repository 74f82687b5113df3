import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addVehicle,
  NO_PRIVATE_TIME,
  positionMessage,
  startPipeline,
  type TestPipeline,
} from '../../../../testing/ingest.ts';
import { createAccount } from '../../accounts/accounts.ts';
import { readLog } from '../export.ts';
import { unidentifiedLogOf } from '../settings/driver-terms.ts';
import { townFinder } from '../towns.ts';
import { createRecorder } from './recorder.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BEGIN = Math.floor(Date.now() / 1000) * 1000 - 30 * HOUR;

const inPrivate = new Set<number>();
let pipe: TestPipeline;
let accountId: number;
beforeAll(async () => {
  pipe = await startPipeline(undefined, { isUsed: () => true, hides: ({ id }) => inPrivate.has(id) });
  accountId = await createAccount(pipe.context.db, { name: 'Clocks' });
});
afterAll(() => pipe.close());

async function recordedVehicle(isPrivate = false) {
  const { db } = pipe.context;
  const vehicle = await addVehicle(pipe.context, accountId);
  if (isPrivate) inPrivate.add(vehicle.id);
  const make = () =>
    createRecorder(pipe.context, { live: pipe.live, privateTime: NO_PRIVATE_TIME }, async () => townFinder([]));
  let recorder = make();
  await db.asAccount(accountId, trx => recorder.begin(trx, accountId, vehicle.id, BEGIN));
  return {
    report: (fixMs: number, receivedMs: number) =>
      pipe.pipeline.accept(vehicle, [positionMessage(fixMs)], 'teltonika', epochMs(receivedMs)),
    record: (nowMs: number) => db.asAccount(accountId, trx => recorder.record(trx, accountId, vehicle.id, nowMs)),
    /** The server is killed in the middle of recording. */
    killed: async (nowMs: number) => {
      const died = db.asAccount(accountId, async trx => {
        await recorder.record(trx, accountId, vehicle.id, nowMs);
        throw new Error('killed');
      });
      await expect(died).rejects.toThrow('killed');
      recorder = make();
    },
    /** The timing malfunctions in the log: raised or cleared, in minutes since the beginning. */
    faults: async () => {
      const log = await db.asAccount(accountId, trx => readLog(trx, unidentifiedLogOf(vehicle.id)));
      return log
        .records()
        .flatMap(({ event }) => (event.type === 7 && event.faultCode === 'T' ? [event] : []))
        .map(({ at, code }) => `${code === 1 ? 'raised' : 'cleared'} ${(at - BEGIN) / MINUTE}`)
        .sort((a, b) => minuteOf(a) - minuteOf(b));
    },
  };
}
const minuteOf = (text: string): number => Number(text.split(' ')[1]);
const at = (minutes: number): number => BEGIN + minutes * MINUTE;

describe('[R2.14] timing malfunction', () => {
  it.each([false, true])(
    'is raised by a clock more than ten minutes ahead, and cleared by one that is right (private: %s)',
    async isPrivate => {
      const vehicle = await recordedVehicle(isPrivate);
      await vehicle.report(at(10), at(10));
      await vehicle.report(at(21), at(11));
      await vehicle.record(at(12));
      expect(await vehicle.faults()).toEqual([]);
      await vehicle.report(at(31.5), at(21));
      await vehicle.report(at(32.5), at(22));
      await vehicle.record(at(22));
      await vehicle.record(at(23));
      expect(await vehicle.faults()).toEqual(['raised 21']);
      // What was buffered shows nothing about the clock.
      await vehicle.report(at(22.5), at(60));
      await vehicle.record(at(60));
      expect(await vehicle.faults()).toEqual(['raised 21']);
      await vehicle.report(at(61), at(61));
      await vehicle.record(at(61));
      await vehicle.record(at(62));
      expect(await vehicle.faults()).toEqual(['raised 21', 'cleared 61']);
      await vehicle.report(at(62) - 20 * 366 * 24 * HOUR, at(62));
      await vehicle.record(at(63));
      expect(await vehicle.faults()).toEqual(['raised 21', 'cleared 61', 'raised 62']);
    },
  );

  const reports = fc.array(
    fc.record({
      gap: fc.integer({ min: 1, max: 50 }),
      /** Of the clock, in minutes: right, ahead, or buffered for that long. */
      offset: fc.oneof(fc.constant(0), fc.integer({ min: 11, max: 3000 }), fc.integer({ min: -200, max: 10 })),
      next: fc.constantFrom('record', 'record', 'kill', 'nothing'),
    }),
    { minLength: 1, maxLength: 14 },
  );

  const isRecordedOnce = (numRuns: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(reports, async told => {
        const vehicle = await recordedVehicle();
        let now = 0;
        const heard: { at: number; isRight: boolean }[] = [];
        const times = new Set<number>();
        for (const { gap, offset, next } of told) {
          now += gap;
          const fix = now + offset;
          // One position a moment: a second one of the same time is not kept.
          if (fix > 0 && !times.has(fix)) {
            times.add(fix);
            await vehicle.report(at(fix), at(now));
            if (offset > 10) heard.push({ at: now, isRight: false });
            else if (offset >= -10) heard.push({ at: fix, isRight: true });
          }
          if (next === 'record') await vehicle.record(at(now));
          if (next === 'kill') await vehicle.killed(at(now));
        }
        await vehicle.record(at(now + 11));
        await vehicle.record(at(now + 12));
        let isWrong = false;
        const expected = heard
          .sort((a, b) => a.at - b.at || Number(b.isRight) - Number(a.isRight))
          .flatMap(one => {
            if (one.isRight !== isWrong) return [];
            isWrong = !isWrong;
            return [`${isWrong ? 'raised' : 'cleared'} ${one.at}`];
          });
        const faults = await vehicle.faults();
        for (const one of expected) expect(faults.filter(other => other === one)).toEqual([one]);
        // A right time that arrived after a later one may have been recorded as a second end.
        expect(faults.filter(one => one.startsWith('raised'))).toEqual(
          expected.filter(one => one.startsWith('raised')),
        );
        expect(faults.at(-1)?.split(' ')[0]).toBe(expected.at(-1)?.split(' ')[0]);
      }),
      { numRuns },
    );

  it('is recorded once, whatever was buffered, through restarts and kills', { timeout: 120_000 }, () =>
    isRecordedOnce(12),
  );
  it('is so in many cases, too', { tags: ['long'], timeout: 600_000 }, () => isRecordedOnce(150));
});
