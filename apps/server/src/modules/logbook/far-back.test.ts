import { randomUUID } from 'node:crypto';
import { type LogEntry, openLog, type RecordLog, readLogFile, verifyText } from '@milepost/eld';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  DAY,
  event,
  LOG,
  MINUTE,
  OWNER,
  openTestLogbook,
  record,
  START,
  type TestLogbook,
} from '../../../testing/logbook.ts';
import type { EntryDraft } from './draft.ts';

let book: TestLogbook;
beforeAll(async () => {
  book = await openTestLogbook();
});
afterAll(() => book.close());

/** A seeded random generator (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An entry that a driver, a carrier or a device might make, sensible or not. */
function anyDraft(log: RecordLog, now: number, random: () => number, oneOf: <T>(list: readonly T[]) => T): EntryDraft {
  const records = log.records();
  const target = random() < 0.7 ? records.slice(-12) : records;
  const { id, event: old } = oneOf(target);
  const state = oneOf(['OFF', 'SB', 'D', 'ON'] as const);
  const near = old.at + Math.round((random() - 0.5) * 600) * MINUTE;
  const desk = { log: LOG, device: 'vehicle:7', by: 'someone' } as const;
  const changed = { ...event(state, near, 'Found out later'), check: '00' };
  const about = new Date(now - Math.ceil(random() * 6) * DAY).toISOString().slice(0, 10);
  const [, pending] =
    records.map(record => [record.status, record.id] as const).findLast(([status]) => status === 'change-requested') ??
    [];
  const choices: readonly (() => EntryDraft)[] = [
    () => record(state, now),
    () => record(state, now),
    () => ({ ...desk, action: 'edit', replaces: id, event: changed }),
    () => ({ ...desk, action: 'record', event: changed }),
    () => ({ ...desk, action: 'propose', replaces: oneOf([id, null]), event: { ...changed, origin: 'other-user' } }),
    () => ({
      action: oneOf(['accept', 'accept', 'reject', 'withdraw'] as const),
      log: LOG,
      by: 'driver-12',
      proposal: pending ?? id,
    }),
    () => ({ action: 'annotate', log: LOG, by: 'driver-12', record: id, annotation: 'A remark' }),
    () => ({
      ...desk,
      action: 'certify',
      event: {
        at: now,
        vehicle: { powerUnit: 'T204', vin: '' },
        trailers: '',
        shippingDocument: '',
        type: 4,
        code: Math.min(9, (log.day(about)?.certifications ?? 0) + 1),
        zoneOffset: '06',
        date: about,
      },
    }),
  ];
  return oneOf(choices)();
}

it('decides as the whole log would, though it reads only as far back as an entry reaches', {
  timeout: 120_000,
}, async () => {
  await book.written(record('OFF', START), START);
  const file = readLogFile(await book.exported());
  const whole = openLog({ log: LOG, home: OWNER.home });
  for (const { entry } of file.ok ? file.value.links : []) if (entry) expect(whole.append(entry)).toBeNull();
  const random = seeded(20260203);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const refusals = new Map<string, number>();
  for (let turn = 1; turn <= 150; turn++) {
    const now = START + turn * 5 * 60 * MINUTE;
    const draft = anyDraft(whole, now, random, oneOf);
    const result = await book.write(draft, now);
    if (result.ok) {
      for (const entry of result.entries) expect([turn, whole.append(entry)]).toEqual([turn, null]);
    } else {
      const asked = { ...draft, id: randomUUID(), recordedAt: now } as LogEntry;
      expect([turn, whole.append(asked)]).toEqual([turn, result.refusal]);
      refusals.set(result.refusal, (refusals.get(result.refusal) ?? 0) + 1);
    }
  }
  expect([...refusals.keys()].sort()).toEqual(
    expect.arrayContaining(['driving-shortened', 'not-active', 'not-certified', 'nothing-to-certify']),
  );
  expect(verifyText(await book.exported(START + 60 * DAY))).toMatchObject({ ok: true });
});
