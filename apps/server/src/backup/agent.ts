import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type Environment, readEnvironment } from '../config/env.ts';
import { ALONE, type Leader } from '../db/leader.ts';
import { BackupError, wordsOf } from './backup-error.ts';
import { copyDatabase } from './base.ts';
import { readCatalog, spansOf, windowsOf } from './catalog.ts';
import { cleanBackup } from './clean.ts';
import { FilesBackup } from './files.ts';
import { JournalKeeper, withDatabase } from './journal-keeper.ts';
import type { BackupKey } from './key.ts';
import { type BackupPlace, openStore, placeName } from './place.ts';
import {
  type Asked,
  ask,
  type BackupSettings,
  type BackupState,
  changeState,
  readKey,
  readSettings,
  readState,
  takeAsked,
} from './settings.ts';
import type { Store } from './store/store.ts';
import { turns } from './turns.ts';
import { openVault, type Vault } from './vault.ts';
import { checkFiles, countRows, verifyBackup } from './verify.ts';

/** Keeps the backup of one data folder: the journal all the time, copies and trials when they are due or asked for. */
export interface BackupAgent {
  /** What is going on, here or at the server that leads, and since when. */
  running(): Promise<{ readonly what: Asked; readonly sinceMs: number } | null>;
  /** Begins, here or at the server that leads, unless something is going on. What comes of it is in the state. */
  begin(what: Asked): Promise<void>;
  /** Copies or tries what is due. A job runs it every few minutes. */
  runDue(): Promise<void>;
  /** Throws `BackupError` with what went wrong. What is only due lets the database's checkpoint take its time. */
  runNow(what: Asked, options?: { readonly isDue?: boolean }): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface AgentPace {
  readonly lookEveryMs: number;
  /** At most this much is lost with the disk. */
  readonly journalEveryMs: number;
  /** A copy rests as long as it worked. */
  readonly isGentle: boolean;
}
const AGENT_PACE: AgentPace = { lookEveryMs: 5000, journalEveryMs: 60_000, isGentle: true };

const HOUR_MS = 3_600_000;
/** The next try after a failure. */
const AGAIN_AFTER_MS = HOUR_MS / 4;
/** Files are looked through again after this many times as long as it took. */
const FILES_REST = 20;
/** What goes on says so this often; a server that was killed says it no more. */
const SAY_RUNNING_MS = 20_000;
const RUNNING_MS = 3 * SAY_RUNNING_MS;

interface Opened {
  readonly settings: BackupSettings;
  readonly vault: Vault;
  readonly place: string;
}

export interface AgentOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'version'>;
  readonly pool: Pool;
  readonly log: Logger;
  /** Of several servers, the one that leads keeps the backup. */
  readonly leader?: Pick<Leader, 'leads'>;
  readonly pace?: AgentPace;
  /** For tests: stores that fail. */
  readonly storeOf?: (place: BackupPlace) => Store;
  /** Settings of the database that a trial starts. */
  readonly trialSettings?: Readonly<Record<string, string>>;
}

export function createBackupAgent({
  config,
  pool,
  log,
  leader = ALONE,
  pace = AGENT_PACE,
  storeOf = openStore,
  trialSettings,
}: AgentOptions): BackupAgent {
  const { dataDir } = config;
  const isEmbedded = config.databaseUrl === null;
  const stopping = new AbortController();
  const { signal } = stopping;
  const files = new FilesBackup();
  const journal = new JournalKeeper(dataDir, log);
  const inTurn = { work: turns(), files: turns() };
  let opened: { readonly settled: string; readonly value: Opened } | null = null;
  let running: NonNullable<BackupState['running']> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let journalDueMs = 0;
  let filesDueMs = 0;

  const change = (next: (state: BackupState) => BackupState) => changeState(dataDir, next);
  const failed = async (what: keyof BackupState['failures'], error: unknown): Promise<void> => {
    const message = wordsOf(error);
    log.error({ err: error instanceof BackupError ? undefined : error, what, reason: message }, 'The backup failed');
    await change(state => ({ ...state, failures: { ...state.failures, [what]: { atMs: Date.now(), message } } }));
  };

  /** Null while there is no backup, or it is paused. */
  const open = async (): Promise<Opened | null> => {
    const settings = await readSettings(dataDir);
    if (!settings || settings.pausedSince !== null) return null;
    const key = await readKey(dataDir);
    if (!key)
      throw new BackupError('The backup key is gone (DATA_DIR/backup/key). Put it back, or set up the backup again.');
    const settled = JSON.stringify([settings.place, key.toString('hex')]);
    if (opened?.settled !== settled) {
      const vault = await openVault(storeOf(settings.place), key, { create: true });
      files.forget();
      journal.forget();
      opened = { settled, value: { settings, vault, place: placeOf(settings, key) } };
    }
    opened = { settled, value: { ...opened.value, settings } };
    return opened.value;
  };

  const keepFiles = (parts: Opened): Promise<unknown> =>
    inTurn.files(async () => {
      const began = performance.now();
      const { withMaps } = parts.settings;
      await files.run(parts.vault, { dataDir, withMaps, environment: environmentOf(readEnvironment()), signal });
      filesDueMs = Date.now() + Math.max(pace.journalEveryMs, (performance.now() - began) * FILES_REST);
    });

  const rest = (): ((bytes: number) => Promise<void>) => {
    let since = performance.now();
    return async () => {
      if (pace.isGentle) await sleep(performance.now() - since, undefined, { signal }).catch(() => {});
      since = performance.now();
    };
  };

  const copy = async (parts: Opened, fast: boolean): Promise<void> => {
    const began = Date.now();
    const { vault, settings } = parts;
    const isDamaged = (await readState(dataDir)).failures.verify !== null;
    // What a trial found damaged must not be taken for what is there.
    if (isDamaged) {
      vault.forgetChunks();
      files.forget();
    } else await vault.readChunks();
    await keepFiles(parts);
    let counts = { bytes: 0, writtenBytes: 0 };
    if (isEmbedded) {
      await journal.begin(parts);
      const { cluster } = await journal.place();
      const { line } = await readState(dataDir);
      const { readBytes, writtenBytes } = await withDatabase(dataDir, client =>
        copyDatabase(vault, {
          ...{ client, cluster, line: line ?? '', milepost: config.version, fast, signal },
          pause: rest(),
          journalThrough: async segment => {
            while ((journal.last ?? '') < segment) {
              signal.throwIfAborted();
              const throughMs = await journal.ship(parts, { whole: true });
              if ((await readState(dataDir)).line !== line)
                throw new BackupError('The journal was interrupted. The copy begins again.');
              if (throughMs === null) await sleep(200);
            }
          },
        }),
      );
      counts = { bytes: readBytes, writtenBytes };
      // So that the copy can be restored from now on, not only after the next look.
      await journal.ship(parts, { whole: true });
    }
    // Two that clean up and write at once would remove what the other has just named.
    if (!(await leader.leads())) throw new BackupError('Another server keeps the backup now.');
    await inTurn.files(() => cleanBackup(vault, Date.now() - settings.keepDays * 24 * HOUR_MS, signal));
    vault.forgetChunks();
    const catalog = await readCatalog(vault);
    const first = isEmbedded ? spansOf(windowsOf(catalog))[0]?.fromMs : catalog.files[0]?.atMs;
    await change(state => ({
      ...state,
      place: parts.place,
      last: { atMs: Date.now(), tookMs: Date.now() - began, ...counts },
      ...(isEmbedded ? {} : { throughMs: Date.now() }),
      storedBytes: catalog.bytes,
      fromMs: first ?? null,
      failures: { ...state.failures, copy: null },
    }));
    log.info({ ...counts, seconds: Math.round((Date.now() - began) / 1000) }, 'Backed up');
  };

  const verify = async (parts: Opened): Promise<void> => {
    const began = Date.now();
    const { vault } = parts;
    if (!isEmbedded) {
      await checkFiles(vault, signal);
      await change(state => ({
        ...state,
        verified: {
          atMs: Date.now(),
          tookMs: Date.now() - began,
          throughMs: state.throughMs ?? began,
          tables: 0,
          rows: 0,
        },
        failures: { ...state.failures, verify: null },
      }));
      return;
    }
    const before = await countRows(pool);
    const toMs = await journal.ship(parts, { whole: true });
    const after = await countRows(pool);
    const { throughMs, tables, rows } = await verifyBackup({
      ...{ vault, dataDir, place: await journal.place(), toMs: toMs ?? began, expected: [before, after], log, signal },
      ...(trialSettings && { settings: trialSettings }),
    });
    await change(state => ({
      ...state,
      verified: { atMs: Date.now(), tookMs: Date.now() - began, throughMs, tables, rows },
      failures: { ...state.failures, verify: null },
    }));
    log.info({ tables, rows, seconds: Math.round((Date.now() - began) / 1000) }, 'Restored the backup on trial');
  };

  const runNow = (what: Asked, { isDue = false } = {}): Promise<void> =>
    inTurn.work(async () => {
      if (signal.aborted) return;
      running = { what, sinceMs: Date.now(), seenMs: Date.now() };
      try {
        await change(state => ({ ...state, running }));
        const parts = await open();
        if (!parts) throw new BackupError('No backup is set up, or it is paused.');
        await (what === 'copy' ? copy(parts, !isDue) : verify(parts));
      } catch (error) {
        // A server that stops leaves the last good copy; the next start tries again.
        if (signal.aborted) return;
        await failed(what, error);
        throw error;
      } finally {
        running = null;
        await change(state => ({ ...state, running })).catch(() => {});
      }
    });

  const runDue = async (): Promise<void> => {
    const parts = await open();
    if (!parts) return;
    const { everyHours, verifyDays } = parts.settings;
    const { failures, last, line, place: of, verified } = await readState(dataDir);
    const isDue = (doneMs: number | undefined, everyMs: number, failure: { readonly atMs: number } | null): boolean =>
      failure ? Date.now() - failure.atMs >= AGAIN_AFTER_MS : doneMs === undefined || Date.now() - doneMs >= everyMs;
    const isNewLine = isEmbedded && (line === null || of !== parts.place || !(await hasBase(parts.vault, line)));
    // What a trial found damaged is written anew, then tried again.
    const isDamaged = failures.verify !== null && (last?.atMs ?? 0) < failures.verify.atMs;
    if (isDamaged || isDue(isNewLine ? undefined : last?.atMs, everyHours * HOUR_MS, failures.copy)) {
      await runNow('copy', { isDue: true }).catch(() => {});
    }
    if (verifyDays === 0 || !(await readState(dataDir)).last) return;
    if (isDue(verified?.atMs, verifyDays * 24 * HOUR_MS, failures.verify))
      await runNow('verify', { isDue: true }).catch(() => {});
  };

  /** The journal and new files, every minute; a request from beside the server, at once. */
  const look = async (): Promise<void> => {
    try {
      if (!(await leader.leads())) {
        // What is in the store may be another when this server leads again.
        opened = null;
        files.forget();
        return;
      }
      if (running && Date.now() - running.seenMs >= SAY_RUNNING_MS) {
        running = { ...running, seenMs: Date.now() };
        await change(state => ({ ...state, running }));
      }
      const asked = await takeAsked(dataDir);
      if (asked) void runNow(asked).catch(() => {});
      const parts = await open();
      if (!parts) {
        if (isEmbedded) await journal.end();
        return;
      }
      if (Date.now() >= filesDueMs && (await readState(dataDir)).last) await keepFiles(parts);
      if (!isEmbedded) return;
      const whole = Date.now() >= journalDueMs;
      await journal.ship(parts, { whole });
      if (whole) journalDueMs = Date.now() + pace.journalEveryMs;
    } catch (error) {
      if (!signal.aborted) await failed('journal', error).catch(() => {});
    }
  };
  const lookOn = (): void => {
    timer = setTimeout(() => {
      looking = look().finally(() => !signal.aborted && lookOn());
    }, pace.lookEveryMs).unref();
  };

  return {
    running: async () => {
      if (running) return running;
      const elsewhere = (await readState(dataDir)).running;
      return elsewhere && Date.now() - elsewhere.seenMs < RUNNING_MS ? elsewhere : null;
    },
    begin: async what => {
      if (running) return;
      if (await leader.leads()) void runNow(what).catch(() => {});
      else await ask(dataDir, what);
    },
    runDue,
    runNow,
    start: lookOn,
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await looking;
      await Promise.all([...Object.values(inTurn).map(turn => turn(async () => {})), journal.settled()]);
    },
  };
}

/** All but what opens the backup itself. */
const environmentOf = (environment: Environment): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('BACKUP_')));

const placeOf = ({ place }: BackupSettings, key: BackupKey): string =>
  `${placeName(place)} ${key.subarray(0, 2).toString('hex')}`;

const hasBase = async (vault: Vault, line: string): Promise<boolean> =>
  (await readCatalog(vault)).bases.some(base => base.line === line);
