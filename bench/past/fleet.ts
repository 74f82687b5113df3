import { degrees, fromKilometresPerHour, type MetresPerSecond, metres, metresPerSecond } from '@milepost/units';
import pino from 'pino';
import type { openDatabases } from '../../apps/server/src/db/database.ts';
import { keepPartitions } from '../../apps/server/src/tracks/partitions.ts';

import { testImei } from '../../apps/server/testing/imei.ts';
import { receivedPosition } from '../../apps/server/testing/stored-positions.ts';
import { storePackedDay } from '../packed-day.ts';

/** A fleet's month: each vehicle reports every 10 s while it drives, 7.25 hours a day, and every 10 minutes while parked. */

/** How often a parked vehicle reports, in seconds. */
const PARKED_S = 600;

export const DAYS = 30;
/** The newest days, which are rows; the others are packed. */
export const ROW_DAYS = 2;
export const DAY_MS = 24 * 3_600_000;
/** Vehicles whose days are packed; the others have the same blocks. */
const PACKED = 10;
const log = pino({ level: 'silent' });

/** Seconds of the day at which it reports; it drives from 06:00 to 14:00 with two breaks. */
const timesOf = (parkedS: number): number[] =>
  Array.from({ length: 8640 }, (_, i) => i * 10).filter(s => drives(s) || s % parkedS === 0);
function drives(s: number): boolean {
  const h = s / 3600;
  return h >= 6 && h < 14 && !(h >= 9 && h < 9.25) && !(h >= 11.5 && h < 12);
}

/** Seconds on the road so far: a parked vehicle stays where it is. */
const ON_THE_ROAD = Array.from({ length: 8640 }, () => 0);
for (let i = 1; i < 8640; i++) ON_THE_ROAD[i] = (ON_THE_ROAD[i - 1] as number) + (drives(i * 10) ? 10 : 0);

/** As ingest fits it to the column, so that a packed day says what a row would. */
const stored = (speed: MetresPerSecond): MetresPerSecond => metresPerSecond(Math.round(speed * 1000) / 1000);

type Db = ReturnType<typeof openDatabases>;

/** Vehicles with their last 30 days before this one (UTC). */
export async function fillFleet(
  db: Db,
  accountId: number,
  vehicles: number,
  { todayMs, parkedS = PARKED_S }: { readonly todayMs: number; readonly parkedS?: number | undefined },
): Promise<void> {
  const times = timesOf(parkedS);
  const made = await db.system
    .insertInto('vehicle')
    .values(
      Array.from({ length: vehicles }, (_, n) => ({
        account_id: accountId,
        imei: testImei(n),
        name: `Vehicle ${n}`,
        device_key_hash: Buffer.alloc(32),
      })),
    )
    .returning('id')
    .execute();
  const ids = made.map(({ id }) => id);
  await fillPacked(db, accountId, ids, { todayMs, times });
  await fillRows(db, accountId, ids, { todayMs, times });
  await db.pool.query('analyze');
}

interface When {
  readonly todayMs: number;
  readonly times: readonly number[];
}

async function fillPacked(
  { pool }: Db,
  accountId: number,
  ids: readonly number[],
  { times, todayMs }: When,
): Promise<void> {
  for (let ago = DAYS; ago > ROW_DAYS; ago--) {
    const day = todayMs - ago * DAY_MS;
    for (let nth = 0; nth < PACKED; nth++) {
      const rows = times.map(s => {
        const way = ON_THE_ROAD[s / 10] as number;
        const isDriving = drives(s);
        const { fixAt, receivedAt, ...rest } = receivedPosition(day + s * 1000 + nth * 1000, {
          lat: degrees(Math.round((41.8 + 0.5 * Math.sin(way / 2700 + nth) + Math.random() * 1e-4) * 1e7) / 1e7),
          lon: degrees(Math.round((-88.1 + 0.6 * Math.cos(way / 3300 + nth) + Math.random() * 1e-4) * 1e7) / 1e7),
          speed: stored(fromKilometresPerHour(isDriving ? Math.round(60 + 20 * Math.sin(s / 400)) : 0)),
          course: degrees(Math.floor(180 + 90 * Math.sin(s / 600))),
          odometer: metres(1e6 + s * 10),
          ignition: isDriving,
        });
        return { ...rest, fix_at: new Date(fixAt), received_at: new Date(receivedAt), late: false, doubts: 0 };
      });
      const vehicles = ids.filter((_, i) => i % PACKED === nth);
      await storePackedDay(pool, { accountId, vehicles, day, rows });
    }
  }
}

async function fillRows(
  { pool }: Db,
  accountId: number,
  ids: readonly number[],
  { times: ofDay, todayMs }: When,
): Promise<void> {
  const from = todayMs - ROW_DAYS * DAY_MS;
  const partitions = await keepPartitions(pool, log);
  await partitions.cover([{ position: { fixAt: from } }, { position: { fixAt: todayMs } }]);
  partitions.stop();
  const times = Array.from({ length: ROW_DAYS }, (_, day) => ofDay.map(s => day * 86_400 + s)).flat();
  const moving = times.map(s => drives(s % 86_400));
  await pool.query(
    `insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, speed, course, odometer, fuel, hdop,
       satellites, gsm, valid, ignition, late, protocol, attributes)
     select $1, id, $2::timestamptz + s * interval '1 second', $2::timestamptz + s * interval '1 second' + interval '800 ms',
       41.8 + 0.1 * sin(s / 9000.0 + id), -87.7 + 0.1 * cos(s / 11000.0 + id), case when moving then 17 else 0 end,
       floor(180 + 90 * sin(s / 600.0)), 1e6 + s * 10, 64.5, 0.9, 11, 21, true, moving, false, 'teltonika',
       '{"externalVoltage": 12.6}'
     from unnest($4::int4[], $5::bool[]) report (s, moving), unnest($3::int4[]) id`,
    [accountId, new Date(from), ids, times, moving],
  );
}
