import {
  type ChangeKind,
  DEFAULT_SETTINGS,
  type PrivateTimes,
  privateTimesSchema,
  type SettingName,
  settingsSchema,
} from '@milepost/contract';
import { type Schedule, weeklySchedule } from '@milepost/geo';
import { zoneNamed } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { Context } from '../context.ts';
import type { DirectoryEntry } from './directory.ts';
import type { DrivingNow } from './driving.ts';
import { rereadOnChange } from './rereading.ts';

type PrivateVehicle = Pick<DirectoryEntry, 'id' | 'accountId'>;

/** The one answer to whether a vehicle is in private time. Ingest asks it of each position, before anyone else sees it. */
export interface PrivateTime {
  /**
   * Whether a position of this moment is hidden. The hours of whoever drove then count: the holder of its card, else the
   * usual driver of that time (`driving.ts`).
   */
  hides(vehicle: PrivateVehicle, atMs: number, card: string | null): boolean;
  /**
   * When positions of a vehicle are hidden in [fromMs, toMs), to the minute, whichever of these cards is in it. Ordered
   * and apart.
   */
  times(vehicle: PrivateVehicle, fromMs: number, toMs: number, cards: readonly (string | null)[]): PrivateSpan[];
  /** Whether the account has any private time at all: a cheap look before the others. */
  isUsed(accountId: number): boolean;
  /** A vehicle with a log: its private time is personal use. */
  hasLog(accountId: number, vehicleId: number): boolean;
  /** The account hides what trackers send in personal use. */
  hidesPersonalUse(accountId: number): boolean;
  allowsDrives(accountId: number): boolean;
  /** The open private drive of a vehicle. */
  driveOf(accountId: number, vehicleId: number, nowMs?: number): PrivateDrive | null;
  settled(): Promise<void>;
}

export interface PrivateDrive {
  readonly vehicleId: number;
  readonly driverId: number;
  readonly cause: 'switch' | 'personal-use';
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PrivateSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Hours {
  readonly fromMs: number;
  readonly toMs: number;
  readonly schedules: readonly Schedule[];
}

interface AccountPrivacy {
  readonly ofDrivers: ReadonlyMap<number, readonly Hours[]>;
  readonly ofVehicles: ReadonlyMap<number, readonly Hours[]>;
  readonly drives: ReadonlyMap<number, readonly PrivateDrive[]>;
  readonly withLog: ReadonlySet<number>;
  readonly allowsDrives: boolean;
  readonly hidesPersonalUse: boolean;
}

/** A drive that nobody switched off ends: else a forgotten switch would hide the vehicle for good. */
export const DRIVE_HOURS = 24;
const MINUTE_MS = 60_000;
const DRIVE_MS = DRIVE_HOURS * 3_600_000;
const KINDS: ReadonlySet<ChangeKind> = new Set(['private-time', 'settings']);
const SETTINGS = ['privateDrive', 'privatePersonalUse'] as const satisfies readonly SettingName[];

export async function openPrivateTime(
  { db, feed, log }: Pick<Context, 'db' | 'feed' | 'log'>,
  driving: Pick<DrivingNow, 'at'>,
): Promise<PrivateTime> {
  const accounts = new Map<number, AccountPrivacy>();
  const { settled } = rereadOnChange(
    { feed, log },
    {
      what: 'private time',
      concerns: ({ kind }) => KINDS.has(kind),
      read: async ids => {
        const read = await load(db, ids);
        for (const id of ids) {
          const known = read.get(id);
          if (known) accounts.set(id, known);
          else accounts.delete(id);
        }
      },
    },
  );
  await feed.open();
  for (const [id, privacy] of await load(db, 'all')) accounts.set(id, privacy);

  const hides: PrivateTime['hides'] = (vehicle, atMs, card) => {
    const { accountId, id } = vehicle;
    const account = accounts.get(accountId);
    if (!account) return false;
    if (account.drives.get(id)?.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs)) return true;
    if (account.withLog.has(id)) return false;
    if (isWithin(account.ofVehicles.get(id), atMs)) return true;
    if (account.ofDrivers.size === 0) return false;
    const driver = driving.at(vehicle, atMs, card)?.driver;
    return driver !== undefined && isWithin(account.ofDrivers.get(driver.id), atMs);
  };
  const times: PrivateTime['times'] = (vehicle, fromMs, toMs, cards) => {
    const spans: PrivateSpan[] = [];
    for (let atMs = fromMs; atMs < toMs; atMs = (Math.floor(atMs / MINUTE_MS) + 1) * MINUTE_MS) {
      if (!cards.some(card => hides(vehicle, atMs, card))) continue;
      const untilMs = Math.min(toMs, (Math.floor(atMs / MINUTE_MS) + 1) * MINUTE_MS);
      const last = spans.at(-1);
      if (last?.toMs === atMs) spans[spans.length - 1] = { fromMs: last.fromMs, toMs: untilMs };
      else spans.push({ fromMs: atMs, toMs: untilMs });
    }
    return spans;
  };
  return {
    hides,
    times,
    isUsed: accountId => accounts.has(accountId),
    hasLog: (accountId, vehicleId) => accounts.get(accountId)?.withLog.has(vehicleId) ?? false,
    hidesPersonalUse: accountId => accounts.get(accountId)?.hidesPersonalUse ?? false,
    allowsDrives: accountId => accounts.get(accountId)?.allowsDrives ?? false,
    driveOf: (accountId, vehicleId, nowMs = Date.now()) =>
      accounts
        .get(accountId)
        ?.drives.get(vehicleId)
        ?.find(({ toMs }) => toMs > nowMs) ?? null,
    settled: async () => {
      await feed.settled();
      await settled();
    },
  };
}

const isWithin = (hours: readonly Hours[] | undefined, atMs: number): boolean =>
  hours?.some(
    ({ fromMs, schedules, toMs }) =>
      atMs >= fromMs && atMs < toMs && schedules.some(schedule => schedule.isWithin(epochMs(atMs))),
  ) ?? false;

async function load(
  { system }: Context['db'],
  ids: readonly number[] | 'all',
): Promise<ReadonlyMap<number, AccountPrivacy>> {
  const all = ids === 'all';
  const some = all ? [] : [...ids];
  const hours = await system
    .selectFrom('private_hours')
    .selectAll()
    .$if(!all, query => query.where('account_id', 'in', some))
    .execute();
  const drives = await system
    .selectFrom('private_drive')
    .selectAll()
    .$if(!all, query => query.where('account_id', 'in', some))
    .execute();
  const logs = await system
    .selectFrom('recorder_fold')
    .select(['account_id', 'vehicle_id'])
    .$if(!all, query => query.where('account_id', 'in', some))
    .execute();
  const settings = await system
    .selectFrom('account_setting')
    .select(['account_id', 'name', 'value'])
    .where('name', 'in', SETTINGS)
    .$if(!all, query => query.where('account_id', 'in', some))
    .execute();
  const accountIds = new Set([hours, drives, logs, settings].flatMap(rows => rows.map(row => row.account_id)));
  return new Map(
    Array.from(accountIds, id => {
      const own = hours.filter(row => row.account_id === id);
      const setting = (name: (typeof SETTINGS)[number]): boolean => {
        const stored = settings.find(row => row.account_id === id && row.name === name)?.value;
        return settingsSchema.shape[name].safeParse(stored).data ?? DEFAULT_SETTINGS[name];
      };
      const privacy: AccountPrivacy = {
        ofDrivers: grouped(own, row => row.driver_id, hoursOf),
        ofVehicles: grouped(own, row => row.vehicle_id, hoursOf),
        drives: grouped(
          drives.filter(row => row.account_id === id),
          row => row.vehicle_id,
          driveOf,
        ),
        withLog: new Set(logs.filter(row => row.account_id === id).map(row => row.vehicle_id)),
        allowsDrives: setting('privateDrive'),
        hidesPersonalUse: setting('privatePersonalUse'),
      };
      return [id, privacy];
    }),
  );
}

function grouped<Row, T>(
  rows: readonly Row[],
  keyOf: (row: Row) => number | null,
  of: (row: Row) => T,
): ReadonlyMap<number, readonly T[]> {
  const byKey = new Map<number, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), of(row)]);
  }
  return byKey;
}

/** Times as they are stored; what this version can't read is none. */
export const timesOf = (stored: unknown): PrivateTimes => privateTimesSchema.safeParse(stored).data ?? [];

function hoursOf(row: {
  readonly times: unknown;
  readonly zone: string;
  readonly valid_from: Date;
  readonly valid_to: Date | null;
}): Hours {
  const zone = zoneNamed(row.zone);
  const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  return {
    fromMs: row.valid_from.getTime(),
    toMs: row.valid_to?.getTime() ?? Number.POSITIVE_INFINITY,
    schedules: timesOf(row.times).map(({ days, from, to }) =>
      weeklySchedule(
        { days: new Set(days), from: minutesOf(from), to: minutesOf(to), isOutside: false },
        at => zone?.offsetAt(at) ?? 0,
      ),
    ),
  };
}

function driveOf(row: {
  readonly vehicle_id: number;
  readonly driver_id: number;
  readonly cause: 'switch' | 'personal-use';
  readonly began_at: Date;
  readonly ended_at: Date | null;
}): PrivateDrive {
  const fromMs = row.began_at.getTime();
  const limit = row.cause === 'switch' ? fromMs + DRIVE_MS : Number.POSITIVE_INFINITY;
  return {
    ...{ vehicleId: row.vehicle_id, driverId: row.driver_id, cause: row.cause, fromMs },
    toMs: Math.min(limit, row.ended_at?.getTime() ?? Number.POSITIVE_INFINITY),
  };
}
