import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsProcess } from '../nats.ts';
import type { SmallDisk } from '../small-disk.ts';
import type { MachineClock } from './machine-clock.ts';
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
  /** Which server leads; -1 if none does, or nobody can say. */
  leader(): Promise<number>;
  /** Of the database, and of the folder that all servers share; null where there can't be small ones. */
  readonly disks: Readonly<Record<'database' | 'folder', SmallDisk>> | null;
  /** Each server's; empty where there can't be another than the machine's. */
  readonly clocks: readonly MachineClock[];
}

/** Strikes, and resolves when it is over and mended. */
type Fault = (struck: Struck, random: Random) => Promise<void>;

const WAYS = ['bus', 'database', 'trackers'] as const;
const LONGEST_MS = 12_000;
/** Longer than a server may hang without losing its vehicles and its lead. */
const LONGEST_HANG_MS = 22_000;
/** Longer than it takes until another server leads. */
const LEADER_HANGS_MS = 35_000;
const LONGEST_JUMP_S = 3 * 3600;

const one = <T>(of: readonly T[], random: Random): T => of[Math.floor(random() * of.length)] as T;
const between = (from: number, to: number, random: Random): number => Math.round(from + random() * (to - from));

const aWay = async (struck: Struck, random: Random, harm: (way: Way) => void): Promise<void> => {
  const way = one(struck.ways[one(WAYS, random)], random);
  harm(way);
  await sleep(between(300, LONGEST_MS, random));
  way.heal();
};

async function hang(servers: Servers, n: number, ms: number): Promise<void> {
  const child = servers.running[n]?.process.child;
  child?.kill('SIGSTOP');
  await sleep(ms);
  child?.kill('SIGCONT');
}

async function fillUp(disk: SmallDisk | undefined, random: Random): Promise<void> {
  await disk?.fill();
  await sleep(between(300, LONGEST_MS, random));
  await disk?.free();
}

export const FAULTS = {
  /** kill -9. Started again, also while the database is away. */
  'server killed': async ({ servers }, random) => {
    const n = between(0, servers.running.length - 1, random);
    await servers.kill(n);
    await sleep(between(0, 5000, random));
    await startAgain(servers, n);
  },
  'server hangs': ({ servers }, random) =>
    hang(servers, between(0, servers.running.length - 1, random), between(500, LONGEST_HANG_MS, random)),
  /** Until another one leads, mostly; then it goes on where it was. */
  'leader hangs': async ({ leader, servers }, random) =>
    hang(servers, await leader(), between(500, LEADER_HANGS_MS, random)),
  /** kill -9 of one process, after which all of them start again, or of all. It comes back by itself. */
  'database killed': async ({ database }, random) => {
    const all = database();
    const killed = random() < 0.5 ? all : [one(all, random)];
    for (const pid of killed) killIfThere(pid);
  },
  'disk of the database full': ({ disks }, random) => fillUp(disks?.database, random),
  'shared folder full': ({ disks }, random) => fillUp(disks?.folder, random),
  /** Ahead or behind, by seconds or hours, and back. */
  'clock jumps': async ({ clocks }, random) => {
    const clock = one(clocks, random);
    const seconds = Math.ceil(LONGEST_JUMP_S ** random());
    clock.jump(random() < 0.5 ? seconds : -seconds);
    await sleep(between(2000, LONGEST_MS, random));
    clock.right();
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

const ASKED = process.env.CHAOS_FAULTS?.split(',');

/** Those that can be tried here, and were asked for. */
const namesOf = ({ clocks, disks }: Struck): FaultName[] =>
  (Object.keys(FAULTS) as FaultName[])
    .filter(name => ASKED?.includes(name) ?? true)
    .filter(name => (name === 'clock jumps' ? clocks.length > 0 : disks !== null || !name.endsWith(' full')));

/** One or two at a time, of different kinds; resolves to their names when they are over. */
export async function strike(struck: Struck, random: Random): Promise<readonly FaultName[]> {
  const all = namesOf(struck);
  const first = one(all, random);
  const others = all.filter(name => name.split(' ')[0] !== first.split(' ')[0]);
  const names = random() < 0.4 && others.length > 0 ? [first, one(others, random)] : [first];
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
