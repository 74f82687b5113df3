import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsProcess } from '../nats.ts';
import type { Servers } from './servers.ts';
import type { Way } from './way.ts';

type Random = () => number;

/** 0 ≤ x < 1, always the same for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a fault may strike. */
export interface Struck {
  readonly servers: Servers;
  readonly nats: NatsProcess;
  /** Each server's way to the database and to the bus, and trackers' way to it. */
  readonly ways: Readonly<Record<'bus' | 'database' | 'trackers', readonly Way[]>>;
  /** Process IDs of the database: the first is the postmaster's. */
  database(): readonly number[];
}

/** Strikes, and resolves when it is over and mended. */
type Fault = (struck: Struck, random: Random) => Promise<void>;

const WAYS = ['bus', 'database', 'trackers'] as const;
const LONGEST_MS = 12_000;
/** Longer than a server may hang without losing its vehicles and its lead. */
const LONGEST_HANG_MS = 22_000;

const one = <T>(of: readonly T[], random: Random): T => of[Math.floor(random() * of.length)] as T;
const between = (from: number, to: number, random: Random): number => Math.round(from + random() * (to - from));

const aWay = async (struck: Struck, random: Random, harm: (way: Way) => void): Promise<void> => {
  const way = one(struck.ways[one(WAYS, random)], random);
  harm(way);
  await sleep(between(300, LONGEST_MS, random));
  way.heal();
};

export const FAULTS = {
  /** kill -9. Started again, also while the database is away. */
  'server killed': async ({ servers }, random) => {
    const n = between(0, servers.running.length - 1, random);
    await servers.kill(n);
    await sleep(between(0, 5000, random));
    await startAgain(servers, n);
  },
  'server hangs': async ({ servers }, random) => {
    const child = one(servers.running, random)?.process.child;
    child?.kill('SIGSTOP');
    await sleep(between(500, LONGEST_HANG_MS, random));
    child?.kill('SIGCONT');
  },
  /** kill -9 of one process, after which all of them start again, or of all. It comes back by itself. */
  'database killed': async ({ database }, random) => {
    const all = database();
    const killed = random() < 0.5 ? all : [one(all, random)];
    for (const pid of killed) killIfThere(pid);
  },
  'bus killed': async ({ nats }, random) => {
    nats.kill();
    await sleep(between(0, LONGEST_MS, random));
    await nats.restart();
  },
  'bus hangs': async ({ nats }, random) => {
    nats.freeze();
    await sleep(between(500, LONGEST_HANG_MS, random));
    nats.kill();
    await nats.restart();
  },
  'network cut': (struck, random) => aWay(struck, random, way => way.cut()),
  'network hangs': (struck, random) => aWay(struck, random, way => way.hang()),
  'network slow': (struck, random) => aWay(struck, random, way => way.slow(between(5, 200, random))),
} as const satisfies Readonly<Record<string, Fault>>;
export type FaultName = keyof typeof FAULTS;

const NAMES = Object.keys(FAULTS) as FaultName[];

/** One or two at a time, of different kinds; resolves to their names when they are over. */
export async function strike(struck: Struck, random: Random): Promise<readonly FaultName[]> {
  const first = one(NAMES, random);
  const others = NAMES.filter(name => name.split(' ')[0] !== first.split(' ')[0]);
  const names = random() < 0.4 ? [first, one(others, random)] : [first];
  await Promise.all(
    names.map(async (name, n) => {
      if (n > 0) await sleep(between(0, 3000, random));
      await FAULTS[name](struck, random);
    }),
  );
  return names;
}

/** A server that finds no database says so and ends; whatever runs it starts it again. */
async function startAgain(servers: Servers, n: number): Promise<void> {
  for (const until = Date.now() + 120_000; ; await sleep(500)) {
    try {
      return await servers.start(n);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
