import { timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { imeiOfFourteen, plainTrackerId, type TrackerProtocol } from '@milepost/contract';
import type { Context } from '../context.ts';
import { hashDeviceKey } from './device-key.ts';

export interface DirectoryEntry {
  readonly id: number;
  readonly accountId: number;
  readonly imei: string;
  /** The tracker's own ID, if that is not its IMEI. */
  readonly trackerId: string | null;
  readonly name: string;
  readonly protocol: TrackerProtocol | null;
  /** Addresses and networks that its tracker may report from; if empty, any. */
  readonly trackerAddresses: readonly string[];
  readonly folderId: number | null;
  readonly usualDriverId: number | null;
  /** Meters added to the tracker's odometer. */
  readonly odometerOffset: number;
  /** km/h; null without a limit of its own. */
  readonly speedLimitKmh: number | null;
}

/**
 * Every vehicle of the installation in memory, so that a report finds its vehicle without a query. Follows the change
 * feed, and announces its own changes by the signals `vehicle-changed` and `vehicles-arranged`.
 */
export interface Directory {
  findByImei(imei: string): DirectoryEntry | null;
  /**
   * Finds a vehicle by an IMEI, its first fourteen digits, or the tracker's own ID. IMEIs come first, so that nobody
   * gets another tracker's reports by using its IMEI as a tracker ID.
   */
  findByIdentity(identity: string): DirectoryEntry | null;
  findById(id: number): DirectoryEntry | null;
  /** The vehicle with this usual driver; null if there is none. */
  findByUsualDriver(driverId: number): DirectoryEntry | null;
  /** Every vehicle of the account, in any order. */
  ofAccount(accountId: number): Iterable<DirectoryEntry>;
  /** False while an entry is being reread, so that a key just replaced no longer works. */
  verifyDeviceKey(imei: string, key: string): boolean;
  /** Resolves when everything marked stale until now has been reread. */
  settled(): Promise<void>;
}

interface Known extends DirectoryEntry {
  readonly keyHash: Buffer;
}

const COLUMNS = [
  ...(['id', 'account_id', 'imei', 'tracker_id', 'name', 'protocol', 'tracker_addresses', 'device_key_hash'] as const),
  ...(['folder_id', 'usual_driver_id', 'odometer_offset', 'speed_limit_kmh'] as const),
];
const RETRY_MS = 1000;

type DirectoryContext = Pick<Context, 'db' | 'feed' | 'log' | 'signals'>;

export async function openDirectory({ db, feed, log, signals }: DirectoryContext): Promise<Directory> {
  const byId = new Map<number, Known>();
  const byImei = new Map<string, Known>();
  const byTrackerId = new Map<string, Known>();
  const byAccount = new Map<number, Map<number, Known>>();
  const byUsualDriver = new Map<number, Known>();
  const stale = new Set<number>();
  const changedMeanwhile = new Set<number>();
  let reading: Promise<void> = Promise.resolve();
  let isReading = false;

  const read = async (ids: readonly number[] | 'all'): Promise<Known[]> => {
    const query = db.system.selectFrom('vehicle').select(COLUMNS);
    const rows = await (ids === 'all' ? query : query.where('id', 'in', ids)).execute();
    return rows.map(row => ({
      id: row.id,
      accountId: row.account_id,
      imei: row.imei,
      trackerId: row.tracker_id,
      name: row.name,
      protocol: row.protocol as TrackerProtocol | null,
      trackerAddresses: row.tracker_addresses,
      folderId: row.folder_id,
      usualDriverId: row.usual_driver_id,
      odometerOffset: row.odometer_offset,
      speedLimitKmh: row.speed_limit_kmh,
      keyHash: row.device_key_hash,
    }));
  };

  const forget = (id: number): void => {
    const known = byId.get(id);
    byId.delete(id);
    if (known) byAccount.get(known.accountId)?.delete(id);
    const driverId = known?.usualDriverId ?? null;
    if (driverId !== null && byUsualDriver.get(driverId)?.id === id) byUsualDriver.delete(driverId);
    if (known && byImei.get(known.imei)?.id === id) byImei.delete(known.imei);
    if (known?.trackerId && byTrackerId.get(known.trackerId)?.id === id) byTrackerId.delete(known.trackerId);
  };
  const remember = (entry: Known): void => {
    byId.set(entry.id, entry);
    byImei.set(entry.imei, entry);
    if (entry.trackerId !== null) byTrackerId.set(entry.trackerId, entry);
    if (entry.usualDriverId !== null) byUsualDriver.set(entry.usualDriverId, entry);
    const ofAccount = byAccount.get(entry.accountId);
    if (ofAccount) ofAccount.set(entry.id, entry);
    else byAccount.set(entry.accountId, new Map([[entry.id, entry]]));
  };

  const readStale = async (): Promise<void> => {
    isReading = true;
    try {
      while (stale.size > 0) {
        const ids = [...stale];
        changedMeanwhile.clear();
        const entries = await read(ids);
        const before = new Map(ids.map(id => [id, byId.get(id)]));
        for (const id of ids) forget(id);
        for (const entry of entries) remember(entry);
        for (const id of ids) if (!changedMeanwhile.has(id)) stale.delete(id);
        for (const [id, known] of before) tellChanged(known, byId.get(id));
        tellArranged(before);
      }
    } catch (error) {
      log.warn({ err: error }, 'Could not read changed vehicles; retrying');
      setTimeout(startReading, RETRY_MS).unref();
    } finally {
      // In the same step as the last look at `stale`: a later change starts the next reading.
      isReading = false;
    }
  };

  const tellChanged = (before: Known | undefined, after: Known | undefined): void => {
    const { id: vehicleId, accountId } = after ?? before ?? {};
    if (vehicleId === undefined || accountId === undefined || !isOtherVehicle(before, after)) return;
    const imeis = new Set([before?.imei, after?.imei]);
    for (const imei of imeis) if (imei !== undefined) signals.emit('vehicle-changed', { vehicleId, accountId, imei });
  };
  const tellArranged = (before: ReadonlyMap<number, Known | undefined>): void => {
    const arranged = [...before].flatMap(([id, known]) => {
      const entry = byId.get(id);
      return entry && isArranged(known, entry) ? [entry] : [];
    });
    for (const [accountId, entries] of Map.groupBy(arranged, entry => entry.accountId)) {
      signals.emit('vehicles-arranged', { accountId, vehicleIds: entries.map(({ id }) => id) });
    }
  };

  const startReading = (): void => {
    if (!isReading) reading = readStale();
  };

  const markStale = (id: number): void => {
    stale.add(id);
    changedMeanwhile.add(id);
  };
  feed.follow('memory', changes => {
    const ids = changes.filter(({ kind }) => kind === 'vehicle').map(({ id }) => Number(id));
    if (ids.length === 0) return;
    for (const id of ids) markStale(id);
    startReading();
    return reading;
  });

  await feed.open();
  for (const entry of await read('all')) remember(entry);

  return {
    findByImei: imei => byImei.get(imei) ?? null,
    findByIdentity: identity =>
      byImei.get(identity) ??
      byImei.get(imeiOfFourteen(identity) ?? '') ??
      byTrackerId.get(plainTrackerId(identity)) ??
      null,
    findById: id => byId.get(id) ?? null,
    findByUsualDriver: driverId => byUsualDriver.get(driverId) ?? null,
    ofAccount: accountId => byAccount.get(accountId)?.values() ?? [],
    verifyDeviceKey: (imei, key) => {
      const known = byImei.get(imei);
      return known !== undefined && !stale.has(known.id) && timingSafeEqual(known.keyHash, hashDeviceKey(key));
    },
    settled: () => reading,
  };
}

/** Changes of the folder or usual driver, which do not affect the tracker. */
const ARRANGEMENT: ReadonlySet<string> = new Set<keyof Known>(['folderId', 'usualDriverId']);

const isArranged = (before: Known | undefined, after: Known): boolean =>
  before === undefined || before.folderId !== after.folderId || before.usualDriverId !== after.usualDriverId;

function isOtherVehicle(before: Known | undefined, after: Known | undefined): boolean {
  if (!before || !after) return before !== after;
  const keys = (Object.keys(after) as (keyof Known)[]).filter(key => !ARRANGEMENT.has(key));
  return keys.some(key => !isDeepStrictEqual(before[key], after[key]));
}
