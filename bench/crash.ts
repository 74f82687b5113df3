/**
 * `npm run bench -- crash [KILLS]`: kills the server and its database and fills its disk, while positions arrive over
 * Teltonika TCP and MQTT, and counts acknowledged positions that are missing (invariant I1).
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillTheDisk, killTheDatabase, killTheServer, type Outcome } from './crash/scenarios.ts';
import { table } from './table.ts';

const FLEET = { teltonika: 20, mqtt: 20 };
const KILLS = 20;
const DATABASE_KILLS = 5;

export async function run([kills = String(KILLS)]: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-crash-'));
  // The database's user must have access, not only root.
  chmodSync(folder, 0o755);
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const inside = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  try {
    const server = await killTheServer(inside('server'), FLEET, Number(kills), say);
    const database = await killTheDatabase(inside('database'), FLEET, DATABASE_KILLS, say);
    const disk = await fillTheDisk(folder, FLEET, say);
    const outcomes = { server, database, disk };
    say('');
    say(table(['Crash', 'times', 'positions/s', 'acknowledged', 'stored', 'complaints'], rowsOf(outcomes)));
    say(JSON.stringify(outcomes));
    const complaints = Object.values(outcomes).flatMap(outcome =>
      'verdict' in outcome ? outcome.verdict.complaints : [],
    );
    if (complaints.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const NAMES = {
  server: 'Server killed, with or without its database',
  database: 'Database killed',
  disk: 'Disk full',
} as const;

function rowsOf(outcomes: Readonly<Record<keyof typeof NAMES, Outcome | { readonly reason: string }>>): string[][] {
  return (Object.keys(NAMES) as (keyof typeof NAMES)[]).map(key => {
    const outcome = outcomes[key];
    if ('reason' in outcome) return [NAMES[key], `not tried: ${outcome.reason}`];
    const { kills, positionsPerSecond, verdict } = outcome;
    const { acknowledged, complaints, stored } = verdict;
    return [
      NAMES[key],
      ...[kills, positionsPerSecond, acknowledged, stored].map(String),
      complaints.join('; ') || 'none',
    ];
  });
}
