import {
  type DailyRoot,
  type ExportedLink,
  LOG_FORMAT,
  type RecordLog,
  replay,
  rootDay,
  writeLogFile,
} from '@milepost/eld';
import type { HomeTerminal } from '@milepost/hos';
import type { AccountTransaction } from '../../db/database.ts';
import { BrokenLog } from './broken-log.ts';
import { rootUntil } from './pen.ts';
import { deviceLinks, endOfDevice, endOfLog, entriesSince, rootsOf, type StoredEntry } from './store.ts';

/** Used until the log's first entry names its home terminal. */
const UNTIL_NAMED: HomeTerminal = { timeZone: 'UTC', startOfDay: 0 };

/**
 * Exports a log so that others can verify it: all its entries, the chains of the devices that made them (other
 * drivers’ entries as hashes only), and the roots of all finished days. Null if there is no such log.
 */
export async function exportLog(trx: AccountTransaction, log: string, now: number): Promise<string | null> {
  const own = await entriesSince(trx, log, null);
  if (own.length === 0) return null;
  const links: ExportedLink[] = own.map(({ position, hash, entry }) => ({ chain: log, position, hash, entry }));
  const roots = await endedDays(trx, 'log', log, 0, now);
  for (const [device, from] of firstPlaces(own)) {
    const { links: ofDevice, hasBefore } = await linksOfDevice(trx, device, from);
    links.push(...ofDevice);
    roots.push(...(await endedDays(trx, 'device', device, hasBefore ? from : 0, now)));
  }
  return writeLogFile({ format: LOG_FORMAT, log, ...UNTIL_NAMED, exportedAt: now }, links, roots);
}

/**
 * Reads the current log. Throws if the stored entries are not a valid log, see `BrokenLog`.
 */
export async function readLog(trx: AccountTransaction, log: string): Promise<RecordLog> {
  const stored = await entriesSince(trx, log, null);
  const read = replay(
    { log, home: UNTIL_NAMED },
    stored.map(({ entry }) => entry),
  );
  if (!read.ok) throw new BrokenLog(log, { position: read.fault.index, refusal: read.fault.refusal });
  return read.value;
}

/** Each device in the log, with its first link there. */
function firstPlaces(own: readonly StoredEntry[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const { device } of own) if (device && !places.has(device.chain)) places.set(device.chain, device.position);
  return places;
}

async function linksOfDevice(
  trx: AccountTransaction,
  device: string,
  from: number,
): Promise<{ readonly links: readonly ExportedLink[]; readonly hasBefore: boolean }> {
  const [before, ...rest] = await deviceLinks(trx, device, Math.max(0, from - 1));
  if (!before) return { links: [], hasBefore: false };
  const hasBefore = before.position < from;
  const links = (hasBefore ? rest : [before, ...rest]).map(({ position, log, content, hash }, i) => ({
    chain: device,
    position,
    log,
    content,
    hash,
    ...(hasBefore && i === 0 && { previous: before.hash }),
  }));
  return { links, hasBefore };
}

async function endedDays(
  trx: AccountTransaction,
  kind: 'log' | 'device',
  chain: string,
  from: number,
  now: number,
): Promise<DailyRoot[]> {
  const closed = await rootsOf(trx, chain, from);
  const end = kind === 'log' ? await endOfLog(trx, chain) : await endOfDevice(trx, chain);
  if (!end || rootDay(end.recordedAt) >= rootDay(now)) return closed;
  const last = await rootUntil(trx, kind, chain, end);
  return last && last.first >= from && closed.every(({ day }) => day !== last.day) ? [...closed, last] : closed;
}
