import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Client } from 'pg';
import type { Logger } from 'pino';
import { installedBinaries } from '../db/embedded/binaries.ts';
import { findPlace, type Place, spoolOf } from '../db/embedded/place.ts';
import { backupConnection } from '../db/embedded.ts';
import { BackupError } from './backup-error.ts';
import { closeSpool, freeFullDisk, Journal, JournalGap, openSpool, type Spool } from './journal.ts';
import { changeState, NO_STATE, readState } from './settings.ts';
import { turns } from './turns.ts';
import type { Vault } from './vault.ts';

/** Where the journal goes. */
interface Target {
  readonly vault: Vault;
  /** As the state names it. */
  readonly place: string;
}

/** Keeps the journal of an embedded database in a store: the line that goes on, or a new one where that has ended. */
export class JournalKeeper {
  readonly #dataDir: string;
  readonly #log: Pick<Logger, 'error' | 'info'>;
  readonly #inTurn = turns();
  #place: Place | null = null;
  #journal: Journal | null = null;

  constructor(dataDir: string, log: Pick<Logger, 'error' | 'info'>) {
    this.#dataDir = dataDir;
    this.#log = log;
  }

  /** The newest segment of the line in the store. */
  get last(): string | null {
    return this.#journal?.last ?? null;
  }

  /** The embedded database on this machine. */
  async place(): Promise<Place> {
    this.#place ??= await findPlace(this.#dataDir, installedBinaries());
    return this.#place;
  }

  async spool(): Promise<Spool> {
    const place = await this.place();
    return { folder: spoolOf(place), cluster: place.cluster };
  }

  /** From now on the journal is kept, so a copy must begin after this. */
  async begin(target: Target): Promise<void> {
    await this.#inTurn(() => this.#open(target));
  }

  /**
   * Ships what the database has finished, or, if `whole`, what it has written so far: then everything that was committed
   * until the returned time is in the store.
   */
  ship(target: Target, { whole }: { readonly whole: boolean }): Promise<number | null> {
    return this.#inTurn(async () => {
      const journal = await this.#open(target);
      try {
        if (!whole) await journal.ship(target.vault);
        const throughMs = whole
          ? await withDatabase(this.#dataDir, client => journal.shipAll(target.vault, client))
          : null;
        const state = await readState(this.#dataDir);
        if (throughMs !== null || state.failures.journal) {
          await changeState(this.#dataDir, before => ({
            ...before,
            throughMs: throughMs ?? before.throughMs,
            failures: { ...before.failures, journal: null },
          }));
        }
        return throughMs;
      } catch (error) {
        if (error instanceof JournalGap) await this.#endLine();
        else if (await freeFullDisk(await this.spool())) {
          this.#log.error('The disk is nearly full: gave up the journal that waited for the backup');
          await this.#endLine();
        }
        throw error;
      }
    });
  }

  /** How far the line is in the store is read from there again. */
  forget(): void {
    this.#journal = null;
  }

  /** The database keeps no journal for the backup any more. */
  async end(): Promise<void> {
    this.forget();
    if ((await readState(this.#dataDir)).line === null) return;
    await closeSpool(await this.spool());
    await this.#endLine();
  }

  /** Resolves when nothing is being shipped. */
  async settled(): Promise<void> {
    await this.#inTurn(async () => {});
  }

  async #open({ vault, place: name }: Target): Promise<Journal> {
    if (this.#journal) return this.#journal;
    const spool = await this.spool();
    const state = await readState(this.#dataDir);
    if (state.line !== null && state.place === name && existsSync(spool.folder)) {
      this.#journal = new Journal(spool, state.line, await newestSegment(vault, state.line));
      return this.#journal;
    }
    const line = randomBytes(8).toString('hex');
    await openSpool(spool);
    await changeState(this.#dataDir, before => ({
      ...(before.place === name ? before : NO_STATE),
      ...{ place: name, line, throughMs: null },
      sinceMs: before.place === name ? (before.sinceMs ?? Date.now()) : Date.now(),
    }));
    this.#log.info({ line }, 'Keeping the journal of the database for the backup');
    this.#journal = new Journal(spool, line, null);
    return this.#journal;
  }

  async #endLine(): Promise<void> {
    this.forget();
    await changeState(this.#dataDir, state => ({ ...state, line: null }));
  }
}

async function newestSegment(vault: Vault, line: string): Promise<string | null> {
  let newest: string | null = null;
  for await (const stored of vault.list(`wal/${line}/`)) {
    const segment = stored.name.split('/')[2]?.slice(0, 24) ?? null;
    if (segment !== null && (newest === null || segment > newest)) newest = segment;
  }
  return newest;
}

/** With a connection of its own to the embedded database. */
export async function withDatabase<T>(dataDir: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await backupConnection(dataDir);
  if (!connection) throw new BackupError('The database is not running.');
  const client = new Client({ ...connection, application_name: 'milepost backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
