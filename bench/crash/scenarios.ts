import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DoomedServer } from './doomed-server.ts';
import { Fleet, type FleetPlan, type Verdict } from './fleet.ts';
import { mountSmallDisk } from './small-disk.ts';

export interface Outcome {
  readonly kills: number;
  /** While the server ran, on average. */
  readonly positionsPerSecond: number;
  readonly verdict: Verdict;
}

type Say = (text: string) => void;

/**
 * Kills everything at random instants: every other time with the database's processes, the others without. After each
 * restart, and at the end, all that was acknowledged must be there, once.
 */
export async function killTheServer(folder: string, plan: FleetPlan, kills: number, say: Say): Promise<Outcome> {
  return withServer(folder, plan, async (server, fleet) => {
    const complaints: string[] = [];
    let running = 0;
    const began = fleet.acknowledged;
    for (let kill = 1; kill <= kills; kill++) {
      const up = performance.now();
      await fleet.progressOfAll();
      await sleep(Math.random() * 2000);
      await server.kill(kill % 2 === 0);
      running += performance.now() - up;
      const acknowledged = fleet.acknowledged;
      await server.start();
      const verdict = await fleet.verify();
      complaints.push(...verdict.complaints);
      say(
        `kill ${kill} of ${kills}: ${acknowledged} acknowledged, ${verdict.complaints.join('; ') || 'all there, once'}`,
      );
    }
    const rate = ((fleet.acknowledged - began) / running) * 1000;
    await fleet.progressOfAll();
    await fleet.stop();
    const last = await fleet.verify();
    return {
      kills,
      positionsPerSecond: Math.round(rate),
      verdict: { ...last, complaints: [...complaints, ...last.complaints] },
    };
  });
}

/** Kills the database under the server, which must say so, live on and resume by itself. */
export async function killTheDatabase(folder: string, plan: FleetPlan, kills: number, say: Say): Promise<Outcome> {
  return withServer(folder, plan, async (server, fleet) => {
    const complaints: string[] = [];
    const began = performance.now();
    for (let kill = 1; kill <= kills; kill++) {
      await fleet.progressOfAll();
      await sleep(Math.random() * 1000);
      server.killDatabase();
      const said = await firstTrouble(server);
      if (said === null) complaints.push(`kill ${kill}: /health said nothing`);
      if (!server.isRunning) complaints.push(`kill ${kill}: the server ended with its database`);
      await fleet.progressOfAll();
      await allWell(server);
      say(`kill ${kill} of ${kills}: /health said "${said}", then all was well`);
    }
    const rate = (fleet.acknowledged / (performance.now() - began)) * 1000;
    await fleet.stop();
    const last = await fleet.verify();
    const verdict = { ...last, complaints: [...complaints, ...last.complaints] };
    return { kills, positionsPerSecond: Math.round(rate), verdict };
  });
}

const SMALL_DISK_MB = 400;

/** Fills the database's disk under load, and makes room again. Or says why that can't be tried here. */
export async function fillTheDisk(
  folder: string,
  plan: FleetPlan,
  say: Say,
): Promise<Outcome | { readonly reason: string }> {
  const mountPoint = join(folder, 'small-disk');
  mkdirSync(mountPoint);
  const disk = mountSmallDisk(mountPoint, SMALL_DISK_MB);
  if ('reason' in disk) return disk;
  try {
    return await withServer(mountPoint, plan, async (server, fleet) => {
      const complaints: string[] = [];
      const began = performance.now();
      await fleet.progressOfAll();
      await disk.fill();
      const said = await firstTrouble(server);
      say(`disk full: /health said "${said}"`);
      if (said === null) complaints.push('/health said nothing about the full disk');
      // Whatever still fits in pages that are there has been taken; now nothing moves.
      await sleep(3000);
      const paused = fleet.acknowledged;
      await sleep(3000);
      if (fleet.acknowledged !== paused) say(`${fleet.acknowledged - paused} more were taken, into what room was left`);
      disk.free();
      await fleet.progressOfAll();
      await allWell(server);
      say('room again: all was well by itself');
      const rate = (fleet.acknowledged / (performance.now() - began)) * 1000;
      await fleet.stop();
      const last = await fleet.verify();
      const verdict = { ...last, complaints: [...complaints, ...last.complaints] };
      return { kills: 1, positionsPerSecond: Math.round(rate), verdict };
    });
  } finally {
    disk.unmount();
  }
}

async function withServer<T>(
  dataDir: string,
  plan: FleetPlan,
  work: (server: DoomedServer, fleet: Fleet) => Promise<T>,
): Promise<T> {
  const server = await DoomedServer.in(dataDir);
  let fleet: Fleet | null = null;
  try {
    await server.start();
    fleet = await Fleet.start(server, plan);
    return await work(server, fleet);
  } finally {
    await fleet?.stop();
    await server.stop();
  }
}

/** What /health says of ingest while it answers 503; null when it says nothing for long. */
async function firstTrouble(server: DoomedServer): Promise<string | null> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(20)) {
    const health = await server.health().catch(() => null);
    const said = health?.checks.ingest;
    if (health?.status === 503 && said !== undefined && said !== 'ok') return said;
  }
  return null;
}

async function allWell(server: DoomedServer): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(100)) {
    if ((await server.health().catch(() => null))?.status === 200) return;
  }
  throw new Error('/health is not well again');
}
