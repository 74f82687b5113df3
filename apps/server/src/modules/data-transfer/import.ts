import { randomBytes } from 'node:crypto';
import { type Actor, SETTING_NAMES, type SettingName, settingsSchema } from '@milepost/contract';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction, Databases } from '../../db/database.ts';
import { hashDeviceKey } from '../../fleet/device-key.ts';
import type { VehicleState } from '../../fleet/vehicle-state.ts';
import type { JobRun } from '../../jobs/one-off.ts';
import { importPositions } from '../../tracks/write.ts';
import { type Author, audit } from '../audit/audit.ts';
import { documentTypeOf, safeFileName } from '../documents/file-type.ts';
import type { Files } from '../documents/files.ts';
import { encodeImage } from '../images/encode.ts';
import { storeImage } from '../images/store.ts';
import { takenProblem } from '../vehicles/taken.ts';
import { type DeskTable, takesOfDesk } from './import-desk.ts';
import { type Entered, type EnteredTable, takesOfEntered } from './import-entered.ts';
import { type ReachTable, takesOfReach } from './import-reach.ts';
import { ImportedRecords, type RecordTable } from './import-records.ts';
import { type RuleTable, takesOfRules } from './import-rules.ts';
import { type Trail, type TrailTable, takesOfTrail } from './import-trail.ts';
import { insertRow } from './insert-rows.ts';
import { KeptIds, type NumberedTable } from './kept-ids.ts';
import { broken, isImported, type Line, readLines } from './lines.ts';
import { LiveStatesOfImport } from './live-states.ts';
import { type ImportedTable, ROWS, type Row } from './rows.ts';
import { WrongRow } from './wrong-row.ts';

export type RowsOfTables = Readonly<Record<string, number>>;

/** Undoes what a transaction has done. */
class Undo extends Error {}

type Take = { readonly [T in ImportedTable]: (row: Row<T>) => Promise<unknown> };

/** Where a file goes, and by whose rights. */
export interface Into {
  readonly accountId: number;
  readonly files: Pick<Files, 'write'>;
  readonly grantor: Actor;
}

/** Positions that go into the database at once. */
const BATCH = 2000;
const IMPORT_LOCK = 4;

/**
 * Throws what stands against a file, and answers its rows otherwise: everything but the positions is read in and undone
 * again, so that what the database refuses is known before anything is imported. Progress counts bytes. Null if the job
 * was cancelled or stopped.
 */
export async function checkImport(
  { db }: Pick<Context, 'db'>,
  {
    grantor,
    path,
    run,
  }: {
    readonly run: Pick<JobRun, 'accountId' | 'signal' | 'progress'>;
    readonly grantor: Actor;
    readonly path: string;
  },
): Promise<number | null> {
  const { accountId } = run;
  let rows = 0;
  let read = 0;
  let told = 0;
  const nowhere = { write: async () => randomBytes(16).toString('hex') };
  try {
    return await db.asAccount(accountId, async trx => {
      await enter(trx, accountId);
      const importing = new Importing(trx, { db, accountId, grantor, files: nowhere, what: 'without positions' });
      const note = (bytes: number): void => {
        read = bytes;
      };
      for await (const line of readLines(path, note)) {
        if (run.signal.aborted) throw new Undo();
        await importing.take(line);
        rows++;
        if (read === told) continue;
        told = read;
        await run.progress(read);
      }
      await importing.checkRecords(rows);
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return run.signal.aborted ? null : rows;
    throw takenProblem(error, 'one of these');
  }
}

/**
 * Reads an export into an empty account: all of it in one transaction, with the result of its job, or nothing. Answers
 * the vehicles' states; null if the job was cancelled or stopped.
 */
export async function importAccount(
  { db }: Pick<Context, 'db'>,
  files: Pick<Files, 'write' | 'remove'>,
  {
    run,
    author,
    grantor,
    path,
  }: { readonly run: JobRun; readonly author: Author; readonly grantor: Actor; readonly path: string },
): Promise<ReadonlyMap<number, VehicleState> | null> {
  const written: string[] = [];
  const kept = {
    write: async (bytes: Uint8Array) => {
      const name = await files.write(bytes);
      written.push(name);
      return name;
    },
  };
  try {
    return await db.asAccount(run.accountId, async trx => {
      await enter(trx, run.accountId);
      const importing = new Importing(trx, { db, accountId: run.accountId, grantor, files: kept, what: 'all' });
      let read = 0;
      for await (const line of readLines(path)) {
        if (run.signal.aborted) throw new Undo();
        await importing.take(line);
        await run.progress(++read);
      }
      await importing.checkRecords(read);
      const { rows, states } = await importing.finish();
      const changes = Object.entries(rows).map(([field, to]) => ({ field, from: null, to }));
      await audit(trx, author, { action: 'data.imported', changes });
      if (!(await run.finish({ rows }, trx))) throw new Undo();
      return states;
    });
  } catch (error) {
    for (const name of written) await files.remove(name);
    if (error instanceof Undo) return null;
    throw takenProblem(error, 'one of these');
  }
}

async function enter(trx: AccountTransaction, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${IMPORT_LOCK}, ${accountId})`.execute(trx);
  await refuseUnlessEmpty(trx);
}

export async function refuseUnlessEmpty(trx: AccountTransaction): Promise<void> {
  for (const table of ['vehicle', 'driver', 'folder', 'department'] as const) {
    if (await trx.selectFrom(table).select('id').limit(1).executeTakeFirst()) throw new AppError('account-not-empty');
  }
}

class Importing {
  readonly #trx: AccountTransaction;
  readonly #account: { readonly account_id: number };
  readonly #files: Pick<Files, 'write'>;
  readonly #withPositions: boolean;
  readonly #ids: KeptIds;
  readonly #records: ImportedRecords;
  readonly #entered: Entered;
  readonly #trail: Trail;
  readonly #takes: Take;
  readonly #images = new Map<string, string>();
  /** The drivers who are users, by the users' old IDs. */
  readonly #driversOfUsers = new Map<string, number>();
  readonly #live = new LiveStatesOfImport();
  readonly #counts: Record<string, number> = {};
  #positions: object[] = [];

  constructor(
    trx: AccountTransaction,
    {
      accountId,
      db,
      files,
      grantor,
      what,
    }: Into & { readonly db: Databases; readonly what: 'all' | 'without positions' },
  ) {
    this.#trx = trx;
    this.#account = { account_id: accountId };
    this.#files = files;
    this.#withPositions = what === 'all';
    this.#ids = new KeptIds(trx, db);
    const known = { ids: this.#ids, images: this.#images, drivers: this.#driversOfUsers };
    this.#records = new ImportedRecords({ trx, accountId, grantor, ...known });
    const userOf = (old: string | null): string | null => this.#records.userOf(old);
    const personOf = (old: string | null): string | null => this.#records.personOf(old);
    const context = { trx, accountId, ids: this.#ids, userOf, personOf };
    this.#entered = takesOfEntered(context, (...chains) => this.#records.keepsLogbook(...chains));
    this.#trail = takesOfTrail(context);
    this.#takes = {
      ...this.#records.takes,
      ...takesOfDesk(context),
      ...takesOfRules(context),
      ...takesOfReach(context, grantor),
      ...this.#entered.takes,
      ...this.#trail.takes,
      ...this.#own,
    };
  }

  async take({ number, table, row }: Line): Promise<void> {
    if (!isImported(table)) return;
    const read = ROWS[table].safeParse(row);
    if (!read.success) {
      const [issue] = read.error.issues;
      throw broken(number, 'export-line', { detail: `${table}.${issue?.path.join('.')}: ${issue?.message}` });
    }
    try {
      // The schema of the table has read the row: the two go together.
      const came = await (this.#takes[table] as (row: unknown) => Promise<unknown>)(read.data);
      if (came !== false) this.#counts[table] = (this.#counts[table] ?? 0) + 1;
    } catch (error) {
      throw brokenBy(error, number);
    }
  }

  async finish(): Promise<{ readonly rows: RowsOfTables; readonly states: ReadonlyMap<number, VehicleState> }> {
    await this.#flush();
    await this.#live.write(this.#trx, this.#account.account_id);
    return { rows: this.#counts, states: this.#live.states };
  }

  /** Also before anything is brought in. */
  async checkRecords(lines: number): Promise<void> {
    try {
      await this.#records.finish();
      await this.#entered.check();
      await this.#trail.flush();
    } catch (error) {
      throw brokenBy(error, lines);
    }
  }

  readonly #own: Omit<Take, RecordTable | DeskTable | RuleTable | ReachTable | EnteredTable | TrailTable> = {
    folder: async group => this.#group('folder', group),
    department: async group => this.#group('department', group),
    driver: async ({ id, user_id, ...driver }) => {
      const of = { ...this.#account, department_id: this.#id('department', driver.department_id) };
      const made = await this.#ids.add('driver', id, { ...driver, ...of });
      if (user_id !== null) this.#driversOfUsers.set(user_id, made);
    },
    vehicle: async ({ id, ...vehicle }) => {
      await this.#ids.add('vehicle', id, {
        ...{ ...vehicle, ...this.#account, folder_id: this.#id('folder', vehicle.folder_id) },
        usual_driver_id: this.#id('driver', vehicle.usual_driver_id),
        // A tracker on MQTT gets a key of its own by renewing it.
        device_key_hash: `\\x${hashDeviceKey(randomBytes(20).toString('hex')).toString('hex')}`,
      });
    },
    document: async ({ content, created_by, vehicle_id, driver_id, file_name, ...document }) => {
      const bytes = Buffer.from(content ?? '', 'base64');
      const type = documentTypeOf(bytes);
      const of = { vehicle_id: this.#id('vehicle', vehicle_id), driver_id: this.#id('driver', driver_id) };
      // A file that was lost before the export can't come back.
      if (type === null || (of.vehicle_id === null) === (of.driver_id === null)) return;
      const file = await this.#files.write(bytes);
      const saved = { file, type, bytes: bytes.length, file_name: safeFileName(file_name, type) };
      const made = await insertRow(this.#trx, 'document', { ...document, ...this.#account, ...of, ...saved });
      this.#records.signLater(created_by, by =>
        this.#trx.updateTable('document').set({ created_by: by }).where('id', '=', Number(made?.id)).execute(),
      );
    },
    image: async ({ name, kind, content }) => {
      const picture = await encodeImage(new Blob([Buffer.from(content.slice(2), 'hex')]), kind);
      this.#images.set(name, await storeImage(this.#trx, this.#account.account_id, kind, picture));
    },
    tenant: async ({ logo, splash, splash_on, ...colours }) => {
      const tenant = {
        primary_colour: colours.primary_colour ?? null,
        secondary_colour: colours.secondary_colour ?? null,
        active_colour: colours.active_colour ?? null,
        logo: this.#images.get(logo ?? '') ?? null,
        splash: this.#images.get(splash ?? '') ?? null,
        splash_on,
      };
      await this.#trx
        .insertInto('tenant')
        .values({ ...tenant, ...this.#account })
        .onConflict(conflict => conflict.column('account_id').doUpdateSet(tenant))
        .execute();
    },
    account_setting: async ({ changed_at, changed_by, name, value }) => {
      const setting = SETTING_NAMES.find(each => each === name) as SettingName;
      const read = settingsSchema.shape[setting].safeParse(value);
      if (!read.success || read.data === null) return;
      const at = sql<Date>`coalesce(${changed_at ?? null}::timestamptz, now())`;
      const row = { value: JSON.stringify(read.data), changed_at: at, changed_by: null };
      await this.#trx
        .insertInto('account_setting')
        .values({ ...row, ...this.#account, name: setting })
        .onConflict(conflict => conflict.columns(['account_id', 'name']).doUpdateSet(row))
        .execute();
      this.#records.signLater(changed_by, by =>
        this.#trx.updateTable('account_setting').set({ changed_by: by }).where('name', '=', setting).execute(),
      );
    },
    position: async position => {
      const vehicle = this.#id('vehicle', position.vehicle_id);
      // Of a vehicle that was deleted while the export was written.
      if (vehicle === null || !this.#withPositions) return;
      this.#live.take(vehicle, position);
      this.#positions.push({ ...position, ...this.#account, vehicle_id: vehicle });
      if (this.#positions.length >= BATCH) await this.#flush();
    },
  };

  async #group(table: 'folder' | 'department', { id, parent_id, ...group }: Row<'folder'>): Promise<void> {
    await this.#ids.add(table, id, { ...group, ...this.#account, parent_id: this.#id(table, parent_id) });
  }

  /** The ID that something has here; null if it is not in the file. */
  #id(table: NumberedTable, old: number | null): number | null {
    return this.#ids.of(table).get(old);
  }

  async #flush(): Promise<void> {
    const rows = this.#positions;
    this.#positions = [];
    if (rows.length === 0) return;
    await importPositions(this.#trx, rows);
  }
}

/** What a database says of itself (connection, disk, locks, shutdown): another try may succeed. */
const OF_DATABASE = /^(08|40|53|55|57|58|XX)/;

/** The problem of a line whose row was refused; any other error as it is. */
function brokenBy(error: unknown, line: number): unknown {
  if (error instanceof WrongRow) return broken(line, 'export-line', { detail: error.message });
  // A tracker that belongs to someone has a problem of its own.
  const isTaken = takenProblem(error, '') !== error;
  const isOfLine = error instanceof DatabaseError && !isTaken && !OF_DATABASE.test(error.code ?? '');
  return isOfLine ? broken(line, 'export-line', { detail: why(error) }) : error;
}

/** In words that do not tell what else is in the database. */
function why({ code, constraint }: DatabaseError): string {
  if (constraint?.startsWith('driver_licence')) return 'Another driver in this file has the same license.';
  if (constraint === 'driver_card') return 'Another driver in this file has the same card.';
  if (code === '23505') return 'Something in this line is there already.';
  return 'This line can’t be kept.';
}
