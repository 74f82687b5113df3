import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { createIngestMetrics } from './metrics.ts';
import { watchUnknownTrackers } from './unknown-trackers.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const watch = () =>
  watchUnknownTrackers(database.databases.system, pino({ level: 'silent' }), createIngestMetrics(new Registry()));
const listed = () => database.databases.system.selectFrom('unknown_tracker').selectAll().orderBy('imei').execute();

it('lists each tracker once, with how often and from where it came', async () => {
  const trackers = watch();
  trackers.seen('356307042441013', 'teltonika', '10.0.0.1');
  trackers.seen('356307042441013', 'teltonika', '10.0.0.2');
  trackers.seen('phone-7', 'osmand', null);
  await trackers.stop();
  const again = watch();
  again.seen('356307042441013', 'gt06', '10.0.0.3');
  await again.stop();
  expect(await listed()).toMatchObject([
    { imei: '356307042441013', protocol: 'gt06', connections: 3, remote_address: '10.0.0.3' },
    { imei: 'phone-7', protocol: 'osmand', connections: 1, remote_address: null },
  ]);
});

it('can not be made to fill the disk by invented names, however many and long', async () => {
  await database.databases.system
    .insertInto('unknown_tracker')
    .values(
      Array.from({ length: 1500 }, (_, n) => ({
        imei: `old-${n}`,
        protocol: 'gt06',
        last_seen_at: new Date(Date.UTC(2026, 0, 1) + n * 1000),
      })),
    )
    .execute();
  const trackers = watch();
  for (let n = 0; n < 20_000; n++) trackers.seen(`${n}-${'x'.repeat(5000)}\0\n`, 'osmand', null);
  await trackers.stop();
  const rows = await listed();
  expect(rows).toHaveLength(1000);
  expect(rows.filter(row => !row.imei.startsWith('old-'))).toHaveLength(200);
  expect(Math.max(...rows.map(row => row.imei.length))).toBe(32);
  expect(rows.some(row => row.imei === 'old-1499')).toBe(true);
  expect(rows.some(row => row.imei === 'old-0')).toBe(false);
});
