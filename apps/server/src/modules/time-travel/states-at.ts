import { motionThen, type ReportedFix } from '@milepost/geo';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { doubtsFromBits, type VehicleState } from '../../fleet/vehicle-state.ts';
import { fixesBack, type MotionFix, positionsAt } from '../../tracks/before.ts';
import type { StoredPosition } from '../../tracks/stored-position.ts';
import { turn } from '../../workers/turns.ts';

/** Of so many vehicles at once. */
const VEHICLES_AT_ONCE = 20;
/** How many fixes are read, then more where these don't show since when a vehicle moves or stands. */
const ROUNDS = [120, 1000, 5000] as const;
/** Most are settled by their last few. */
const FOLDED_FIRST = [120, 1000] as const;

export interface StateAt {
  readonly state: VehicleState | null;
  /** The motion may have begun before what was read. */
  readonly isSinceAtLeast: boolean;
}

export interface SeenVehicle {
  readonly vehicle: DirectoryEntry;
  /** Whether the caller may see a position with this card; null: all of them. */
  readonly isSeen: ((rfid: string | null) => boolean) | null;
}

/**
 * The state of each vehicle at a moment, by its fixes up to then in the order of the tracker's clock, whenever they
 * arrived. Folded as live, from as far back as it takes for the rest not to matter, 5,000 fixes at most.
 */
export async function statesAt(
  read: <T>(work: (trx: AccountTransaction) => Promise<T>) => Promise<T>,
  vehicles: readonly SeenVehicle[],
  atMs: number,
): Promise<Map<number, StateAt>> {
  const states = new Map<number, StateAt>();
  for (let i = 0; i < vehicles.length; i += VEHICLES_AT_ONCE) {
    const some = vehicles.slice(i, i + VEHICLES_AT_ONCE);
    const found = await read(trx => statesOfSome(trx, some, atMs));
    for (const [id, state] of found) states.set(id, state);
    await turn();
  }
  return states;
}

interface Reading {
  readonly vehicle: SeenVehicle;
  /** Oldest first. */
  readonly fixes: readonly MotionFix[];
  readonly isAll: boolean;
}

async function statesOfSome(
  trx: AccountTransaction,
  vehicles: readonly SeenVehicle[],
  atMs: number,
): Promise<Map<number, StateAt>> {
  let open: readonly Reading[] = vehicles.map(vehicle => ({ vehicle, fixes: [], isAll: false }));
  const motions = new Map<number, Motion>();
  for (const limit of ROUNDS) {
    const withCards = open.some(({ vehicle }) => vehicle.isSeen !== null);
    const from = open.map(({ vehicle, fixes }) => ({
      vehicleId: vehicle.vehicle.id,
      beforeMs: fixes[0]?.fixMs ?? atMs + 1,
    }));
    const back = await fixesBack(trx, from, limit, { withCards });
    const readings = open.map(({ vehicle, fixes }): Reading => {
      const more = back.get(vehicle.vehicle.id);
      return { vehicle, fixes: [...(more?.fixes ?? []), ...fixes], isAll: more?.isAll ?? true };
    });
    for (const reading of readings) motions.set(reading.vehicle.vehicle.id, motionOf(reading));
    open = readings.filter(({ vehicle: { vehicle }, isAll }) => !isAll && motions.get(vehicle.id)?.isCertain === false);
    if (open.length === 0) break;
    await turn();
  }
  const newest = await positionsAt(
    trx,
    [...motions].flatMap(([vehicleId, { newestMs }]) => (newestMs === null ? [] : [{ vehicleId, fixMs: newestMs }])),
  );
  return new Map(
    [...motions].map(([id, motion]): [number, StateAt] => [id, stateOf(motion, newest.get(id) ?? null, atMs)]),
  );
}

interface Motion extends ReturnType<typeof motionThen> {
  /** Of the newest fix without doubts. */
  readonly newestMs: number | null;
  readonly last: MotionFix | null;
}

function motionOf({ vehicle: { isSeen }, fixes, isAll }: Reading): Motion {
  const seen = isSeen ? fixes.filter(({ rfid }) => isSeen(rfid)) : fixes;
  const newest = seen.findLast(({ doubts }) => doubts === 0);
  const rest = { newestMs: newest?.fixMs ?? null, last: seen.at(-1) ?? null };
  for (const length of FOLDED_FIRST) {
    if (length >= seen.length) break;
    const then = motionThen(seen.slice(-length).map(toFix), false);
    if (then.isCertain) return { ...then, ...rest };
  }
  return { ...motionThen(seen.map(toFix), isAll), ...rest };
}

/** When a report came after the moment, its tracker had reported at its own time, as far as it can be known. */
function stateOf({ state, isCertain, last }: Motion, newest: StoredPosition | null, atMs: number): StateAt {
  if (last === null) return { state: null, isSinceAtLeast: false };
  const heardAt = epochMs(last.receivedMs <= atMs ? last.receivedMs : last.fixMs);
  return { state: { heardAt, motion: state, newest }, isSinceAtLeast: !isCertain };
}

const toFix = ({ fixMs, lat, lon, speed, course, ignition, valid, doubts }: MotionFix) =>
  ({
    time: epochMs(fixMs),
    lat: degrees(lat),
    lon: degrees(lon),
    speed: speed === null ? null : metresPerSecond(speed),
    course: course === null ? null : degrees(course),
    ignition,
    valid,
    doubts: doubtsFromBits(doubts),
  }) satisfies ReportedFix & { readonly doubts: readonly string[] };
