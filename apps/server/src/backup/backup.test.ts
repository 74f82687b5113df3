import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BackedUp, silent, startBackedUp, UNSAFE } from '../../testing/backed-up.ts';
import { collect } from '../../testing/collect.ts';
import { itHolds } from '../../testing/few-and-many.ts';
import { makeScratchFolder, removeScratchFolder } from '../../testing/scratch.ts';
import { startEmbedded } from '../db/embedded.ts';
import { claimFolder } from '../lifecycle/claim.ts';
import { readBase } from './base.ts';
import { chainOf, readCatalog, windowsOf } from './catalog.ts';
import { makeKey } from './key.ts';
import { openStore } from './place.ts';
import { type Restored, restoreFolder } from './restore.ts';
import { readSettings, readState } from './settings.ts';
import { folderStore } from './store/folder.ts';
import { chunkName, openVault } from './vault.ts';

// Copies and restores of whole databases.
vi.setConfig({ testTimeout: 120_000 });

const scratch = makeScratchFolder();
afterAll(() => removeScratchFolder(scratch));

const vaultOf = (of: BackedUp) => openVault(openStore(of.place), of.key);

async function restore(of: BackedUp, dataDir: string, toMs: number | null): Promise<Restored> {
  const parts = { key: of.key, backup: of.place, dataDir, toMs, withDatabase: true, log: silent, settings: UNSAFE };
  return restoreFolder({ vault: await vaultOf(of), ...parts });
}

/** Starts what was restored, and asks it. */
async function askRestored<Row extends object>(dataDir: string, text: string): Promise<Row[]> {
  const embedded = await startEmbedded({ dataDir, log: silent, settings: UNSAFE });
  const client = new Client(embedded.url);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
    await embedded.stop();
  }
}

describe('after the data folder is destroyed', () => {
  let of: BackedUp;
  let firstMs = 0;
  let lastMs = 0;
  const written: { id: string; askedMs: number; doneMs: number }[] = [];
  beforeAll(async () => {
    of = await startBackedUp(scratch, 'fleet');
    await of.writePosition();
    of.agent.start();
    const copying = of.agent.runNow('copy');
    let isCopied = false;
    void copying.finally(() => {
      isCopied = true;
    });
    // Taking in positions does not wait for the copy.
    while (!isCopied) written.push(await of.writePosition());
    expect(written.length).toBeGreaterThan(20);
    await copying;
    firstMs = (await readState(of.dataDir)).fromMs ?? 0;
    for (const until = Date.now() + 3000; Date.now() < until; await sleep(20)) written.push(await of.writePosition());
    const keptFiles = async (): Promise<number> => (await readCatalog(await vaultOf(of))).files.length;
    const before = await keptFiles();
    writeFileSync(join(of.dataDir, 'documents', 'second'), 'written after the copy');
    lastMs = Date.now();
    for (let through = 0; through < lastMs + 1000; await sleep(100)) {
      through = (await readState(of.dataDir)).throughMs ?? 0;
    }
    // Files are looked through at a pace of their own.
    while ((await keptFiles()) === before) await sleep(100);
    await of.stop();
    rmSync(of.dataDir, { recursive: true });
  }, 120_000);

  itHolds('comes back as it was at any second', { few: 1, many: 20 }, async runs => {
    for (let run = 0; run < runs; run++) {
      const dataDir = join(scratch, `restored-${runs}-${run}`);
      const toMs = firstMs + Math.floor(((lastMs - firstMs) * (run + Math.random())) / runs);
      await restore(of, dataDir, toMs);
      const rows = await askRestored<{ fix_at: Date }>(dataDir, 'select fix_at from position order by fix_at');
      const found = new Set(rows.map(({ fix_at }) => fix_at.toISOString()));
      const acknowledged = written.filter(({ doneMs }) => doneMs < toMs);
      const later = written.filter(({ askedMs }) => askedMs > toMs);
      expect(acknowledged.filter(({ id }) => !found.has(id))).toEqual([]);
      expect(later.filter(({ id }) => found.has(id))).toEqual([]);
      expect(readFileSync(join(dataDir, 'documents', 'first'), 'utf8')).toBe('the first document');
      expect(existsSync(join(dataDir, 'compiled'))).toBe(false);
      rmSync(dataDir, { recursive: true });
    }
  });

  it('comes back whole to the newest moment, with files that were written after the copy, and paused', async () => {
    const dataDir = join(scratch, 'newest');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'mine'), 'must not be lost');
    const { aside, toMs } = await restore(of, dataDir, null);
    expect(toMs).toBeGreaterThan(lastMs);
    expect(readFileSync(join(aside ?? '', 'mine'), 'utf8')).toBe('must not be lost');
    expect(readFileSync(join(dataDir, 'documents', 'second'), 'utf8')).toBe('written after the copy');
    expect((await readSettings(dataDir))?.pausedSince).not.toBeNull();
    const rows = await askRestored<{ count: string }>(dataDir, 'select count(*) from position');
    expect(rows).toEqual([{ count: String(written.length + 1) }]);
    expect(readdirSync(dataDir).filter(name => name.includes('restoring'))).toEqual([]);
  });

  it('is refused over a running server, and for a moment that the backup does not reach', async () => {
    const dataDir = join(scratch, 'in-use');
    mkdirSync(dataDir);
    const claim = await claimFolder(dataDir);
    await expect(restore(of, dataDir, null)).rejects.toThrow('is running on the data folder');
    await claim.release();
    await expect(restore(of, dataDir, firstMs - 60_000)).rejects.toThrow(/does not reach .* It reaches from .* to /);
    await expect(restore(of, dataDir, Date.now() + 60_000)).rejects.toThrow('does not reach');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('says that the key is another, and what is damaged, and leaves what was there', async () => {
    await expect(openVault(openStore(of.place), makeKey())).rejects.toThrow('made with another key');
    const vault = await vaultOf(of);
    const catalog = await readCatalog(vault);
    const [base] = catalog.bases;
    const { chunks } = await readBase(vault, base?.name ?? '');
    const dataDir = join(scratch, 'damaged');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'mine'), '');
    const journal = base ? chainOf(catalog, base).map(({ name }) => name) : [];
    expect(journal.length).toBeGreaterThan(1);
    // With the first file whole, the database waits for the second when that turns out to be damaged.
    for (const names of [[base?.name ?? ''], [chunkName(chunks[0] ?? '')], journal, journal.slice(1)]) {
      const whole = names.map(name => readFileSync(join(of.store, name)));
      for (const [i, bytes] of whole.entries()) {
        writeFileSync(join(of.store, names[i] ?? ''), bytes.subarray(0, bytes.length - 7));
      }
      await expect(restore(of, dataDir, null)).rejects.toThrow('is damaged');
      for (const [i, bytes] of whole.entries()) writeFileSync(join(of.store, names[i] ?? ''), bytes);
      expect(readFileSync(join(dataDir, 'mine'), 'utf8')).toBe('');
    }
  });
});

describe('a backup', () => {
  let of: BackedUp;
  /** How many writes and removals the store still takes. */
  let left = Number.POSITIVE_INFINITY;
  beforeAll(async () => {
    const store = folderStore(join(scratch, 'failing-store'));
    const counted = <T>(work: () => Promise<T>): Promise<T> =>
      left-- > 0 ? work() : Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC', path: '/backup' }));
    of = await startBackedUp(scratch, 'failing', {
      storeOf: () => ({
        ...store,
        put: (name, bytes) => counted(() => store.put(name, bytes)),
        remove: name => counted(() => store.remove(name)),
      }),
    });
  }, 60_000);
  afterEach(() => {
    left = Number.POSITIVE_INFINITY;
  });
  afterAll(() => of.stop());

  it('says that the disk is full, and the database goes on', async () => {
    left = 2;
    await expect(of.agent.runNow('copy')).rejects.toThrow();
    expect((await readState(of.dataDir)).failures.copy?.message).toBe(
      '/backup: the disk is full. Free space there, or choose another place.',
    );
    expect((await readState(of.dataDir)).last).toBeNull();
    await of.writePosition();
  });

  const goesOn = 'that breaks off at any write or removal leaves the last good copy, and the next one succeeds';
  itHolds(goesOn, { few: 3, many: 6 }, async runs => {
    await of.agent.runNow('copy');
    const vault = await vaultOf(of);
    const [first] = (await readCatalog(vault)).bases;
    for (const writes of [0, 3, 5, 1, 2, 8].slice(0, runs)) {
      await of.writePosition();
      writeFileSync(join(of.dataDir, 'documents', `more-${runs}-${writes}`), `${runs} ${writes}`);
      left = writes;
      const broke = await of.agent.runNow('copy').then(
        () => false,
        () => true,
      );
      if (writes < 4) expect(broke).toBe(true);
      left = Number.POSITIVE_INFINITY;
      const catalog = await readCatalog(vault);
      const names = new Set((await collect(vault.list(''))).map(({ name }) => name));
      expect(catalog.bases).toContainEqual(first);
      for (const { name } of catalog.bases) {
        expect((await readBase(vault, name)).chunks.filter(id => !names.has(chunkName(id)))).toEqual([]);
      }
      expect(windowsOf(catalog)[0]?.base).toEqual(first);
    }
    await of.agent.runNow('copy');
    expect((await readState(of.dataDir)).failures.copy).toBeNull();
  });

  it('is restored on trial', async () => {
    for (let i = 0; i < 10; i++) await of.writePosition();
    await of.agent.runNow('verify');
    const { failures, verified } = await readState(of.dataDir);
    expect(failures).toEqual({ copy: null, journal: null, verify: null });
    expect(verified?.tables).toBeGreaterThan(80);
    expect(verified?.rows).toBeGreaterThan(10);
    expect(existsSync(join(of.dataDir, 'database-trial'))).toBe(false);
  });

  it('is said to be damaged once it is, and made sound by the next copy', { tags: 'long' }, async () => {
    await of.agent.runNow('copy');
    await of.databases.pool.query(
      `insert into sealed_day (account_id, vehicle_id, day, from_at, to_at, positions, believed, track)
        select account_id, id, '2020-05-01', '2020-05-01', '2020-05-01', 1, 1, '\\x00' from vehicle`,
    );
    await expect(of.agent.runNow('verify')).rejects.toThrow('The restored database is damaged: Vehicle');
    expect((await readState(of.dataDir)).failures.verify?.message).toContain('2020-05-01');
    await of.databases.pool.query('delete from sealed_day');

    const chunks = join(of.store, 'chunks');
    for (const name of readdirSync(chunks, { recursive: true, encoding: 'utf8' })) {
      if (name.includes('/')) writeFileSync(join(chunks, name), 'rotten');
    }
    await expect(of.agent.runNow('verify')).rejects.toThrow('is damaged');
    // The next copy writes anew what was found damaged.
    await of.agent.runNow('copy');
    await of.agent.runNow('verify');
    expect((await readState(of.dataDir)).failures.verify).toBeNull();
  });
});
