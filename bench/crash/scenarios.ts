import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountSmallDisk } from '../../apps/server/testing/small-disk.ts';
import { DoomedServer } from './doomed-server.ts';
import { Fleet, type FleetPlan, type Verdict } from './fleet.ts';

export interface Outcome {
  readonly kills: number;
  /** Average while the server was running. */
  readonly positionsPerSecond: number;
  readonly verdict: Verdict;
}

type Say = (text: string) => void;

/**
 * Kills everything at random moments, every other time including the database's processes. After each restart, and at
 * the end, everything acknowledged must be stored exactly once.
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

/** Kills the server's database; the server must report it, keep running and resume on its own. */
export async function killTheDatabase(folder: string, plan: FleetPlan, kills: number, say: Say): Promise<Outcome> {
  return withServer(folder, plan, async (server, fleet) => {
    const complaints: string[] = [];
    const began = performance.now();
    for (let kill = 1; kill <= kills; kill++) {
      await fleet.progressOfAll();
      await sleep(Math.random() * 1000);
      server.killDatabase();
      const reason = await firstTrouble(server);
      if (reason === null) complaints.push(`kill ${kill}: /health said nothing`);
      if (!server.isRunning) complaints.push(`kill ${kill}: the server ended with its database`);
      await fleet.progressOfAll();
      await allWell(server);
      say(`kill ${kill} of ${kills}: /health said "${reason}", then all was well`);
    }
    const rate = (fleet.acknowledged / (performance.now() - began)) * 1000;
    await fleet.stop();
    const last = await fleet.verify();
    const verdict = { ...last, complaints: [...complaints, ...last.complaints] };
    return { kills, positionsPerSecond: Math.round(rate), verdict };
  });
}

const SMALL_DISK_MB = 400;

/** Fills the database's disk under load, and frees space again. Or returns why that can't be tried here. */
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
      const user = await server.user();
      await disk.fill();
      const reason = await firstTrouble(server);
      say(`disk full: /health said "${reason}"`);
      if (reason === null) complaints.push('/health said nothing about the full disk');
      // Everything that fits into existing pages has been stored; from now on nothing moves.
      await sleep(3000);
      const paused = fleet.acknowledged;
      complaints.push(...(await complaintsOfAUser(user, say)));
      await sleep(3000);
      if (fleet.acknowledged !== paused) say(`${fleet.acknowledged - paused} more were taken, into what room was left`);
      await disk.free();
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

/** A page shows what can still be read, or why not; a form says that nothing was saved and why. */
async function complaintsOfAUser(user: Awaited<ReturnType<DoomedServer['user']>>, say: Say): Promise<string[]> {
  const complaints: string[] = [];
  const asked = [
    ['GET', 'device', undefined],
    ['GET', 'position/latest', undefined],
    ['POST', 'geofence', { name: 'Yard', shape: { kind: 'circle', center: [-87.68, 41.51], radiusM: 300 } }],
  ] as const;
  for (const [method, path, body] of asked) {
    const { answer, status } = await user(method, path, body);
    const { code, title } = answer as { code?: string; title?: string };
    say(`disk full: ${method} ${path} answered ${status}${code ? ` ${code} "${title}"` : ''}`);
    // A database that has no room for its journal stops, and starts again and again.
    const isAway = code === 'database-unreachable' || code === 'database-busy';
    const isAsItShould = isAway || (method === 'GET' ? status === 200 : code === 'server-full');
    if (!isAsItShould) complaints.push(`${method} ${path} answered ${status} ${code ?? ''} while the disk was full`);
  }
  return complaints;
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

/** The reason that /health gives for ingest while it answers 503; null if it gives none for long. */
async function firstTrouble(server: DoomedServer): Promise<string | null> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(20)) {
    const health = await server.health().catch(() => null);
    const reason = health?.checks.ingest;
    if (health?.status === 503 && reason !== undefined && reason !== 'ok') return reason;
  }
  return null;
}

async function allWell(server: DoomedServer): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(100)) {
    if ((await server.health().catch(() => null))?.status === 200) return;
  }
  throw new Error('/health is not well again');
}
