import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { forgetUnknownFrames, keepUnread, watchUnknownFrames } from './unknown-frames.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const watch = () => watchUnknownFrames(database.databases.system, pino({ level: 'silent' }));
const kept = () => database.databases.system.selectFrom('unknown_frame').selectAll().orderBy('id').execute();
const SENDER = { protocol: 'gt06', imei: null, address: '10.0.0.1' } as const;

it('keeps a frame with who sent it and why it was not read; one that only was too early is none', async () => {
  const frames = watch();
  const bytes = Uint8Array.of(1, 2, 3);
  keepUnread(frames, SENDER, bytes, [{ kind: 'error', code: 'unknown-type', at: 2 }]);
  keepUnread(frames, SENDER, bytes, [{ kind: 'error', code: 'not-signed-in', at: 0 }]);
  keepUnread(frames, SENDER, bytes, [{ kind: 'heartbeat', attributes: {} }]);
  const status = { kind: 'status', time: null, event: null } as const;
  keepUnread(frames, SENDER, bytes, [{ ...status, attributes: { unread: 'bad-field' } }]);
  keepUnread(frames, SENDER, bytes, [{ ...status, attributes: { data: '01' } }]);
  bytes.fill(9);
  await frames.stop();
  expect(await kept()).toMatchObject([
    { ...{ protocol: 'gt06', imei: null, remote_address: '10.0.0.1' }, code: 'unknown-type', at: 2, length: 3 },
    { code: 'bad-field', at: 0, length: 3 },
  ]);
  expect((await kept())[0]?.frame.toString('hex')).toBe('010203');
});

it('forgets the old ones though nothing new comes', async () => {
  const old = { protocol: 'gt06', code: 'bad-field', at: 0, frame: Buffer.of(1), length: 1 };
  await database.databases.system
    .insertInto('unknown_frame')
    .values([8, 6].map(days => ({ ...old, received_at: new Date(Date.now() - days * 86_400_000) })))
    .execute();
  await forgetUnknownFrames(database.databases.system);
  expect(await kept()).toHaveLength(1);
});

it('is bounded: bytes of a frame, frames of a sender, frames at once, rows, days', async () => {
  await database.databases.system
    .insertInto('unknown_frame')
    .values(
      Array.from({ length: 1200 }, (_, n) => ({
        protocol: 'gt06',
        code: 'bad-field',
        at: 0,
        frame: Buffer.of(n & 0xff),
        length: n,
        received_at: new Date(Date.now() - (n < 100 ? 8 : 1) * 86_400_000),
      })),
    )
    .execute();
  const frames = watch();
  for (let n = 0; n < 500; n++) {
    for (let times = 0; times < 50; times++) {
      frames.seen({ ...SENDER, address: `10.0.0.${n}` }, new Uint8Array(10_000), { code: 'bad-field', at: times });
    }
  }
  await frames.stop();
  const rows = await kept();
  expect(rows).toHaveLength(1000);
  expect(rows.filter(row => row.length === 10_000)).toHaveLength(100);
  expect(Math.max(...rows.map(row => row.frame.length))).toBe(2048);
  expect(rows.some(row => row.length < 100)).toBe(false);
});
