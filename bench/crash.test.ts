import { expect, it } from 'vitest';
import { makeScratchFolder, removeScratchFolder } from '../apps/server/testing/scratch.ts';
import { fillTheDisk, killTheDatabase, killTheServer } from './crash/scenarios.ts';

/** `npm run bench -- crash` is the long version. */
const FLEET = { teltonika: 8, mqtt: 8 };
const LONG = 240_000;

it.skipIf(process.platform !== 'linux').each([
  ['server, with and without its database', killTheServer, 3],
  ['database, while the server keeps running', killTheDatabase, 1],
])(
  '[I1] has everything that it acknowledged, once, after a kill -9 of the %s',
  { timeout: LONG, tags: 'long' },
  async (_, scenario, kills) => {
    const folder = makeScratchFolder();
    try {
      const { verdict } = await scenario(folder, FLEET, kills, () => {});
      expect(verdict.complaints).toEqual([]);
      expect(verdict.acknowledged).toBeGreaterThan(500);
      expect(verdict.stored).toBeGreaterThanOrEqual(verdict.acknowledged);
    } finally {
      removeScratchFolder(folder);
    }
  },
);

it.skipIf(process.platform !== 'linux')(
  '[I1] acknowledges nothing that a full disk has no room for, says so, and goes on by itself when there is room',
  { timeout: LONG, tags: 'long' },
  async ({ skip }) => {
    const folder = makeScratchFolder();
    try {
      const outcome = await fillTheDisk(folder, FLEET, () => {});
      // Only root may mount a disk that is small enough.
      if ('reason' in outcome) return skip(outcome.reason);
      expect(outcome.verdict.complaints).toEqual([]);
      expect(outcome.verdict.acknowledged).toBeGreaterThan(500);
      expect(outcome.verdict.stored).toBeGreaterThanOrEqual(outcome.verdict.acknowledged);
    } finally {
      removeScratchFolder(folder);
    }
  },
);
