import { type Fix, type FixThen, motionThen, STILL_AFTER_MS } from '@milepost/geo';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { doubtsFromBits, type VehicleState } from '../../fleet/vehicle-state.ts';
import {
  type BackFrom,
  chosen,
  type FixesBack,
  fixesBack,
  isPossible,
  type MotionColumns,
  positionsAt,
  withEarlier,
  withRest,
} from '../../tracks/before.ts';
import { type Standing, type Stood, standingAtFirst, stoodBefore } from '../../tracks/standing.ts';
import type { StoredPosition } from '../../tracks/stored-position.ts';
import { turn } from '../../workers/turns.ts';

/** Of so many vehicles at once. */
const VEHICLES_AT_ONCE = 20;
/** How many fixes are read, then more where these don't show since when a vehicle moves or stands. */
const ROUNDS = [100, 600, 4500] as const;
/** And before those that only say that it stands. */
const BEFORE_STANDING = 150;
/** After as many interruptions all is read. */
const MOST_LEAPS = 3;
/** Most are settled by their last few. */
const FOLDED_FIRST = [100, 700] as const;

export interface StateAt {
  readonly state: VehicleState | null;
  /** The motion may have begun before what was read. */
  readonly isSinceAtLeast: boolean;
}

export interface SeenVehicle {
  readonly vehicle: DirectoryEntry;
  /** Whether the caller may see a position with this card; null: all of them. */
  readonly isSeen: ((rfid: string | null, atMs: number) => boolean) | null;
}

/**
 * The state of each vehicle at a moment, by its fixes up to then in the order of the tracker's clock, whenever they
 * arrived. Folded as live, from as far back as it takes for the rest not to matter, 5,000 fixes at most, and those
 * that only say that it stands.
 */
export async function statesAt(
  read: <T>(work: (trx: AccountTransaction) => Promise<T>) => Promise<T>,
  vehicles: readonly SeenVehicle[],
  atMs: number,
): Promise<Map<number, StateAt>> {
  const states = new Map<number, StateAt>();
  const waiting = [...vehicles];
  // While one part is computed here, the database reads another.
  const work = async (): Promise<void> => {
    for (;;) {
      const some = waiting.splice(0, VEHICLES_AT_ONCE);
      if (some.length === 0) return;
      const found = await read(trx => statesOfSome(trx, some, atMs));
      for (const [id, state] of found) states.set(id, state);
      await turn();
    }
  };
  await Promise.all([work(), work()]);
  return states;
}

interface Reading {
  readonly vehicle: SeenVehicle;
  /** Of what was read until now. */
  readonly back: FixesBack | null;
  /** The first of `ROUNDS` that is not read yet. */
  readonly round: number;
  /** How often what only says that it stands was left out. */
  readonly leaps: number;
  /** So many of the newest fixes don't settle it. */
  readonly folded: number;
}

async function statesOfSome(
  trx: AccountTransaction,
  vehicles: readonly SeenVehicle[],
  atMs: number,
): Promise<Map<number, StateAt>> {
  let open: readonly Reading[] = vehicles.map(vehicle => ({ vehicle, back: null, round: 0, leaps: 0, folded: 0 }));
  const motions = new Map<number, Motion>();
  while (open.length > 0) {
    const stood = await stoodBefore(trx, open.flatMap(standing));
    const steps = open.map(reading => stepBack(reading, stood.get(reading.vehicle.vehicle.id), atMs));
    const found = await fixesBack(
      trx,
      steps.map(({ from }) => from),
      turn,
    );
    const uncertain: Reading[] = [];
    for (const { from, reading, stood: leapt } of steps) {
      const earlier = found.get(from.vehicleId) ?? null;
      const read = leapt ? (earlier?.columns.fixAt.filter(time => time >= leapt.fromMs).length ?? 0) : 0;
      const back = withEarlier(reading.back, earlier, leapt ? leapt.fixes - read : 0);
      const left = settled({ ...reading, back }, motions);
      if (left && left.round < ROUNDS.length) uncertain.push(left);
      await turn();
    }
    open = uncertain;
  }
  const newest = await positionsAt(
    trx,
    [...motions].flatMap(([vehicleId, { day, newestMs }]) =>
      newestMs === null ? [] : [{ vehicleId, fixMs: newestMs, day }],
    ),
  );
  return new Map(
    [...motions].map(([id, motion]): [number, StateAt] => [id, stateOf(motion, newest.get(id) ?? null, atMs)]),
  );
}

/** If the oldest of its fixes say that it stands. A vehicle that a user sees in part is read in full. */
function standing({ back, leaps, vehicle }: Reading): readonly Standing[] {
  if (!back || vehicle.isSeen || leaps === MOST_LEAPS) return [];
  return standingAtFirst(vehicle.vehicle.id, back.columns) ?? [];
}

interface Step {
  /** As it will be when this is read. */
  readonly reading: Reading;
  readonly from: BackFrom;
  /** What is left out. */
  readonly stood: Stood | null;
}

/** What to read next: of what only says that it stands the beginning, which proves it, and what was before. */
function stepBack(reading: Reading, stood: Stood | undefined, atMs: number): Step {
  const { back, leaps, round, vehicle } = reading;
  const [vehicleId, beforeMs] = [vehicle.vehicle.id, back?.columns.fixAt[0] ?? atMs + 1];
  if (stood && stood.fromMs + STILL_AFTER_MS < beforeMs) {
    const from = { vehicleId, beforeMs: stood.fromMs + STILL_AFTER_MS, limit: BEFORE_STANDING };
    return { reading: { ...reading, leaps: leaps + 1 }, from, stood };
  }
  const from = { vehicleId, beforeMs, limit: ROUNDS[round] ?? 0 };
  return { reading: { ...reading, round: round + 1 }, from, stood: null };
}

/** Keeps the motion; null if what was read is enough to know it. */
function settled(reading: Reading, motions: Map<number, Motion>): Reading | null {
  let { back, folded } = reading;
  for (;;) {
    const motion = motionOf({ ...reading, back, folded });
    motions.set(reading.vehicle.vehicle.id, motion);
    if (!back || back.isAll || motion.isCertain) return null;
    folded = motion.length;
    if (!back.rest) return { ...reading, back, folded };
    back = withRest(back);
  }
}

interface Motion extends ReturnType<typeof motionThen> {
  /** Of the newest fix without doubts. */
  readonly newestMs: number | null;
  /** Of the newest fix, and when it was received. */
  readonly lastMs: number | null;
  readonly receivedMs: number | null;
  readonly day: FixesBack['day'];
  /** Of how many fixes. */
  readonly length: number;
}

function motionOf({ vehicle: { isSeen }, back, folded }: Reading): Motion {
  if (!back) return { ...motionThen([], true), newestMs: null, lastMs: null, receivedMs: null, day: null, length: 0 };
  const { columns: all, day, isAll, leftOut, receivedMs } = back;
  const isKept = (i: number): boolean =>
    isPossible(all.doubts[i] ?? 0) && (!isSeen || isSeen(all.rfid[i] ?? null, all.fixAt[i] ?? 0));
  const isWhole = !isSeen && all.doubts.every(isPossible);
  const columns = isWhole ? all : chosen(all, [...all.fixAt.keys()].filter(isKept));
  const { doubts, fixAt } = columns;
  const lastMs = fixAt.at(-1) ?? null;
  const rest = {
    day,
    length: fixAt.length,
    lastMs,
    newestMs: fixAt[doubts.lastIndexOf(0)] ?? null,
    // Of the last one that the caller sees, or as if it had come at its own time.
    receivedMs: lastMs === all.fixAt.at(-1) ? receivedMs : lastMs,
  };
  for (const length of FOLDED_FIRST) {
    if (length >= fixAt.length) break;
    if (length <= folded) continue;
    const then = motionThen(fixesOf(columns, fixAt.length - length, leftOut), false);
    if (then.isCertain) return { ...then, ...rest };
  }
  return { ...motionThen(fixesOf(columns, 0, leftOut), isAll), ...rest };
}

/** When a report came after the moment, its tracker had reported at its own time, as far as it can be known. */
function stateOf(
  { state, isCertain, lastMs, receivedMs }: Motion,
  newest: StoredPosition | null,
  atMs: number,
): StateAt {
  if (lastMs === null) return { state: null, isSinceAtLeast: false };
  const heardAt = epochMs(receivedMs !== null && receivedMs <= atMs ? receivedMs : lastMs);
  return { state: { heardAt, motion: state, newest }, isSinceAtLeast: !isCertain };
}

const NO_DOUBTS: Fix['doubts'] = [];

function* fixesOf(
  { doubts, fixAt, ignition, lat, lon, speed, valid }: MotionColumns,
  from: number,
  leftOut: FixesBack['leftOut'],
): Generator<FixThen> {
  for (let i = from; i < fixAt.length; i++) {
    const [mps, bits] = [speed[i] ?? null, doubts[i] ?? 0];
    yield {
      time: epochMs(fixAt[i] as number),
      lat: degrees(lat[i] as number),
      lon: degrees(lon[i] as number),
      speed: mps === null ? null : metresPerSecond(mps),
      // Where it heads is in its report.
      course: null,
      ignition: ignition[i] ?? null,
      valid: valid[i] === true,
      doubts: bits === 0 ? NO_DOUBTS : doubtsFromBits(bits),
      leftOut: leftOut.get(fixAt[i] as number) ?? 0,
    };
  }
}
