/**
 * `npm run bench -- logbook`: the desk's board of 1,000 drivers with eight days of log each. The clocks of all rows in
 * memory, as each minute needs them, in processor time; the first look after a start, which reads every log; further
 * looks; and the row of one driver right after a change, as the desk asks for it. Then a driver's phone that starts
 * without a network, on a processor slowed to a quarter.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type RouteAnswer, readBoard } from '@milepost/contract';
import { DUTY_CODES, type LogEntry, openLog, type RecordLog, withCheck } from '@milepost/eld';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { viewLog } from '../apps/server/src/logs/log-view.ts';
import { readLogOf } from '../apps/server/src/logs/read-board-logs.ts';
import { type BoardFacts, boardLogOf, boardRowOf } from '../apps/server/src/modules/logbook/board/board-row.ts';
import { writeEntries } from '../apps/server/src/modules/logbook/write.ts';
import { buildWebWhenStale } from '../tools/launch/build-web.ts';
import { superviseChildren } from '../tools/launch/supervise.ts';
import { latenciesOf } from './ingest/latencies.ts';
import { startServer } from './ingest/server-under-test.ts';
import { addDriverWithPhone, measurePhoneStart } from './logbook/phone-start.ts';
import { table } from './table.ts';

const DRIVERS = 1000;
const DAYS = 8;
const HOME = { timeZone: 'America/Chicago', startOfDay: 0 };
const HOUR = 3_600_000;
const LOOKS = 40;
const CLOCKS_AIM_MS = 50;
const CHANGE_AIM_MS = 300;
const OTHERS_AIM_MS = 50;
const PHONE_AIM_MS = 1500;

/** A day on the road: status, and hours. */
const DAY = [
  ['ON', 0.5],
  ['D', 3.5],
  ['ON', 0.25],
  ['D', 2.25],
  ['OFF', 0.5],
  ['D', 3],
  ['ON', 1],
  ['SB', 8],
  ['OFF', 5],
] as const;

type Status = (typeof DAY)[number][0];

function eventOf(status: Status, at: number, sequence: number) {
  return withCheck(
    {
      ...{ sequence, at, type: 1, code: DUTY_CODES[status], origin: status === 'D' ? 'automatic' : 'driver' },
      ...{ vehicle: { powerUnit: 'T204', vin: '1M8GDM9AXKP042788' }, trailers: 'T900', shippingDocument: 'BOL 7741' },
      ...{ miles: sequence, hours: 1.5, lat: '41.88', lon: '-87.63', milesSinceFix: 0 },
      ...{ malfunction: false, diagnostic: false, annotation: '', placeByDriver: null, place: '1mi E IL Chicago' },
    },
    'arivera',
    HOME.timeZone,
  );
}

/** The entries of a driver's last eight days, up to the hour before now. */
function entriesOf(driver: number, now: number): LogEntry[] {
  const log = `driver:${driver}`;
  const start = Math.floor((now - DAYS * 24 * HOUR - (driver % 20) * HOUR) / 1000) * 1000;
  const entries: LogEntry[] = [{ action: 'home', id: randomUUID(), log, recordedAt: start, by: 'eld', ...HOME }];
  let at = start;
  for (let day = 0; day < DAYS + 1; day++) {
    for (const [status, hours] of DAY) {
      if (at > now - HOUR) return entries;
      const event = eventOf(status, at, entries.length);
      entries.push({
        ...{ action: 'record', id: randomUUID(), log, recordedAt: at, by: 'eld', device: `vehicle:${driver}` },
        event,
      } as LogEntry);
      at += hours * HOUR;
    }
  }
  return entries;
}

function logOf(entries: readonly LogEntry[]): RecordLog {
  const log = openLog({ log: entries[0]?.log ?? '', home: HOME });
  for (const entry of entries) {
    const refusal = log.append(entry);
    if (refusal) throw new Error(refusal);
  }
  return log;
}

export async function run(): Promise<void> {
  if (!(await buildWebWhenStale(superviseChildren()))) throw new Error('There is no web app to measure');
  const now = Date.now();
  const clocks = clocksOfAll(now);
  const server = await startServer({ vehicles: 10, browsers: 1 });
  const db = openDatabases({ connectionString: server.databaseUrl });
  try {
    const { accountId, drivers } = await fill(db, now);
    const token = server.browsers[0]?.token ?? '';
    const look = async (driver?: number): Promise<number> => {
      const began = performance.now();
      const query = driver === undefined ? '' : `?drivers=${driver}`;
      const answer = await fetch(server.url + readBoard.path + query, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { rows } = (await answer.json()) as RouteAnswer<typeof readBoard>;
      if (rows.length !== (driver === undefined ? DRIVERS : 1)) throw new Error(`The board has ${rows.length} rows.`);
      return performance.now() - began;
    };
    const { first, others } = await withOthers(server.url, () => look());
    const again: number[] = [];
    for (let i = 0; i < LOOKS; i++) again.push(await look());
    const changed: number[] = [];
    const owner = { home: HOME, userName: 'arivera' };
    for (let i = 0; i < LOOKS; i++) {
      const driver = drivers[i * 7] ?? 0;
      const at = Math.floor(Date.now() / 1000) * 1000;
      const { sequence: _sequence, check: _check, ...event } = eventOf('ON', at, 0);
      const draft = {
        action: 'record',
        log: `driver:${driver}`,
        device: `vehicle:${driver}`,
        by: 'eld',
        event,
      } as const;
      const written = await writeEntries(db, accountId, [draft], () => owner, Date.now());
      if (!written.ok) throw new Error(written.refusal);
      changed.push(await look(driver));
    }
    const phoneToken = await addDriverWithPhone(server, driverId => fillLog(db, accountId, driverId, now));
    const phone = await measurePhoneStart(server.url, phoneToken);
    const looks = latenciesOf(again);
    const changes = latenciesOf(changed);
    const ms = (value: number): string => value.toFixed(1);
    process.stdout.write(
      table(
        ['board of 1,000 drivers', 'p50 ms', 'p99 ms', 'aim ms'],
        [
          ['clocks of all, in memory', ms(clocks), '', String(CLOCKS_AIM_MS)],
          ['first look after a start', ms(first), '', ''],
          ['another request meanwhile', ms(others.p50), ms(others.p99), String(OTHERS_AIM_MS)],
          ['a look', ms(looks.p50), ms(looks.p99), ''],
          ['the row of a driver whose log changed', ms(changes.p50), ms(changes.p99), String(CHANGE_AIM_MS)],
        ],
      ),
    );
    process.stdout.write(
      `Phone without a network, slowed to a quarter: buttons after ${ms(phone.toButtonsMs)} ms (aim ${PHONE_AIM_MS}), ${ms(phone.processorMs)} ms of processor time\n`,
    );
    const figures = {
      clocksMs: clocks,
      firstMs: first,
      othersP99Ms: others.p99,
      lookP99Ms: looks.p99,
      changeP99Ms: changes.p99,
      phoneStartMs: phone.toButtonsMs,
      phoneProcessorMs: phone.processorMs,
    };
    process.stdout.write(`${JSON.stringify({ bench: 'logbook', drivers: DRIVERS, ...figures })}\n`);
  } finally {
    await db.close();
    await server.stop();
  }
}

/** How long the first look takes, and how long small requests wait that come one after the other meanwhile. */
async function withOthers(url: string, look: () => Promise<number>) {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      await (await fetch(`${url}/nothing-here`)).text();
      times.push(performance.now() - began);
    }
  })();
  const first = await look();
  isOver = true;
  await asking;
  return { first, others: latenciesOf(times) };
}

/** All rows of a minute, in processor time; the median of nine minutes. */
function clocksOfAll(now: number): number {
  const terms = { ruleSet: 'US_PROPERTY_70_8', declarations: [] } as const;
  const boards = Array.from({ length: DRIVERS }, (_, driver) =>
    boardLogOf(readLogOf(viewLog(logOf(entriesOf(driver + 1, now)), terms, now))),
  );
  const facts: BoardFacts = {
    ...{
      driverId: '1',
      name: 'Ann',
      departmentId: null,
      vehicle: null,
      certificationAskedAt: null,
      faults: [],
      standing: null,
      here: null,
    },
    ...{ reportAt: null, syncAt: null },
  };
  const times = Array.from({ length: 9 }, (_, minute) => {
    const began = process.cpuUsage();
    for (const board of boards) boardRowOf(board, facts, now + minute * 60_000);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  });
  return times.toSorted((a, b) => a - b)[4] ?? 0;
}

/** Drivers who keep a log, and their entries as the server would have written them, but for the chains’ hashes. */
async function fill(db: ReturnType<typeof openDatabases>, now: number) {
  const { account_id: accountId } = await db.system
    .selectFrom('vehicle')
    .select('account_id')
    .executeTakeFirstOrThrow();
  const rows = await db.system
    .insertInto('driver')
    .values(Array.from({ length: DRIVERS }, (_, i) => ({ account_id: accountId, name: `Driver ${i}` })))
    .returning('id')
    .execute();
  const drivers = rows.map(({ id }) => id);
  await db.system
    .insertInto('log_setting')
    .values(drivers.map(id => ({ account_id: accountId, driver_id: id, keeps_log: true })))
    .execute();
  for (const driver of drivers) await fillLog(db, accountId, driver, now);
  await db.pool.query('analyze duty_entry');
  return { accountId, drivers };
}

async function fillLog(db: ReturnType<typeof openDatabases>, accountId: number, driver: number | string, now: number) {
  const values = entriesOf(Number(driver), now).map((entry, position) => {
    const text = JSON.stringify(entry);
    const hasEvent = 'device' in entry;
    return {
      ...{ account_id: accountId, log: entry.log, position, id: entry.id, action: entry.action, entry: text },
      ...{ recorded_at: new Date(entry.recordedAt), touches_at: new Date(entry.recordedAt - 24 * HOUR) },
      ...{ device: hasEvent ? entry.device : null, device_position: hasEvent ? position : null },
      ...{ content: createHash('sha256').update(text).digest(), hash: randomBytes(32) },
      device_hash: hasEvent ? randomBytes(32) : null,
    };
  });
  await db.system.insertInto('duty_entry').values(values).execute();
}
