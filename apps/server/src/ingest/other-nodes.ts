import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import type { Databases } from '../db/database.ts';
import type { Directory } from '../fleet/directory.ts';
import { type LiveStates, readLiveStates } from '../fleet/live.ts';
import { isNewer, type VehicleState } from '../fleet/vehicle-state.ts';
import type { Change } from './change.ts';

export interface OtherNodesParts {
  readonly bus: Bus;
  /** Resolves when memory has followed what was committed until now. */
  readonly settled: () => Promise<void>;
  readonly db: Pick<Databases, 'system'>;
  readonly directory: Pick<Directory, 'findById'>;
  readonly live: LiveStates;
  readonly log: Pick<Logger, 'error'>;
  /** What other nodes have committed, which is in `live` now. */
  readonly heard: (changes: readonly Change[]) => void;
}

export interface OtherNodes {
  /** Tells the others what this node has committed; a vehicle's newest state, if it changed more than once just now. */
  tell(changes: readonly Change[]): void;
  /** Reads the states of the database: what the others said while nobody listened. */
  readAgain(): Promise<void>;
  stop(): void;
}

/** While the bus is away, the database is asked this often, and rests for so many times as long as it took. */
const ASK_EVERY_MS = 10_000;
const REST = 20;

/**
 * After telling, changes are gathered for this long: a message costs its sender, the bus and each hearer a write or a
 * read, whatever it carries.
 */
const GATHER_MS = 20;

const STORED = 'states-stored';
/** States that did not come from trackers are in the database: the others read them there. */
export const tellStored = (bus: Bus): void => bus.publish(STORED, '');

/** A vehicle by ID, and its state after the commit. */
type Told = readonly [vehicleId: number, after: VehicleState];

const NOBODY: OtherNodes = { tell: () => {}, readAgain: async () => {}, stop: () => {} };

/**
 * Live states across nodes. A node tells the others the state of each vehicle after a commit, by account; they keep it as
 * if it were their own, and announce it to whoever is connected to them, whose sight and rights they know. While the bus
 * is away, and when it is back, the states are read from the database: rules, figures and logs follow them.
 */
export function followOtherNodes({ bus, db, directory, heard, live, log, settled }: OtherNodesParts): OtherNodes {
  if (!bus.isShared) return NOBODY;
  let reading: Promise<void> | null = null;
  let isAskedAgain = false;
  let isStopped = false;

  /** Those that are news here: own reports, and messages that overtook, may be newer. */
  const take = (accountId: number, states: Iterable<Told>): void => {
    const changes: Change[] = [];
    for (const [vehicleId, told] of states) {
      const vehicle = directory.findById(vehicleId);
      const before = live.of(vehicleId);
      if (vehicle?.accountId !== accountId || !isNewer(told, before)) continue;
      const after = keepingNewest(told, before);
      live.set(accountId, vehicleId, after);
      changes.push({ vehicle, before, after, positions: 0 });
    }
    if (changes.length > 0) heard(changes);
  };

  const read = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      const states = await readLiveStates(db.system);
      if (isStopped) return;
      for (const [accountId, of] of Map.groupBy(states, state => state.accountId)) {
        take(
          accountId,
          of.map(({ vehicleId, state }) => [vehicleId, state]),
        );
      }
    } while (isAskedAgain);
  };

  const readAgain = (): Promise<void> => {
    isAskedAgain = true;
    reading ??= read()
      .catch((error: unknown) => {
        if (!isStopped) log.error({ err: error }, 'Could not read what other servers have stored');
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };

  let timer: NodeJS.Timeout | undefined;
  const lookAgain = (delayMs: number): void => {
    timer = setTimeout(async () => {
      const began = performance.now();
      if (bus.trouble()) await readAgain();
      if (!isStopped) lookAgain(Math.max(ASK_EVERY_MS, (performance.now() - began) * REST));
    }, delayMs).unref();
  };
  lookAgain(ASK_EVERY_MS);

  const ends = [
    bus.listen('live.*', (payload, from) => {
      if (from === bus.nodeId) return;
      const { accountId, told } = JSON.parse(payload) as { accountId: number; told: readonly Told[] };
      take(accountId, told);
    }),
    bus.listen(STORED, (_, from) => {
      // What is stored may be of vehicles that came with it.
      if (from !== bus.nodeId) void settled().then(readAgain);
    }),
    bus.onReturn(() => void readAgain()),
  ];

  /** The newest change of each vehicle that the others haven't been told. */
  const gathered = new Map<number, Change>();
  let toldAt = Number.NEGATIVE_INFINITY;
  let gathering: NodeJS.Timeout | undefined;

  const tellGathered = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    toldAt = performance.now();
    for (const [accountId, of] of Map.groupBy(gathered.values(), ({ vehicle }) => vehicle.accountId)) {
      const told: Told[] = of.map(({ vehicle, after }) => [vehicle.id, after]);
      bus.publish(`live.${accountId}`, JSON.stringify({ accountId, told }));
    }
    gathered.clear();
  };

  return {
    tell: changes => {
      for (const change of changes) gathered.set(change.vehicle.id, change);
      const early = toldAt + GATHER_MS - performance.now();
      if (early <= 1 || isStopped) tellGathered();
      else gathering ??= setTimeout(tellGathered, early);
    },
    readAgain,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      for (const end of ends) end();
      tellGathered();
    },
  };
}

/** A sign of life changes no position: whoever compares the one before with the one after must find the same one. */
function keepingNewest(told: VehicleState, known: VehicleState | null): VehicleState {
  const isSame = told.newest !== null && told.newest.fixAt === known?.newest?.fixAt;
  return isSame ? { ...told, newest: known?.newest ?? null } : told;
}
