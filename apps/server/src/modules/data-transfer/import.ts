import { randomBytes } from 'node:crypto';
import { SETTING_NAMES, type SettingName, settingsSchema } from '@milepost/contract';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { hashDeviceKey } from '../../fleet/device-key.ts';
import type { VehicleState } from '../../fleet/vehicle-state.ts';
import { importPositions } from '../../tracks/write.ts';
import { audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { documentTypeOf, safeFileName } from '../documents/file-type.ts';
import type { Files } from '../documents/files.ts';
import { encodeImage } from '../images/encode.ts';
import { storeImage } from '../images/store.ts';
import { takenProblem } from '../vehicles/taken.ts';
import { broken, isImported, type Line, readLines } from './lines.ts';
import { LiveStatesOfImport } from './live-states.ts';
import { type ImportedTable, ROWS, type Row } from './rows.ts';

export interface Imported {
  readonly rows: Readonly<Record<string, number>>;
  readonly states: ReadonlyMap<number, VehicleState>;
}

type Take = { readonly [T in ImportedTable]: (row: Row<T>) => Promise<void> };

/** Positions that go into the database at once. */
const BATCH = 2000;
const IMPORT_LOCK = 4;

/** Reads an export into an empty account: all of it in one transaction, or nothing. */
export async function importAccount(
  { db }: Pick<Context, 'db'>,
  files: Files,
  { session, author }: By,
  path: string,
): Promise<Imported> {
  const written: string[] = [];
  try {
    return await db.asAccount(session.accountId, async trx => {
      await sql`select pg_advisory_xact_lock(${IMPORT_LOCK}, ${session.accountId})`.execute(trx);
      await refuseUnlessEmpty(trx);
      const importing = new Importing(trx, session.accountId, files, written);
      for await (const line of readLines(path)) await importing.take(line);
      const imported = await importing.finish();
      const changes = Object.entries(imported.rows).map(([field, to]) => ({ field, from: null, to }));
      await audit(trx, author, { action: 'data.imported', changes });
      return imported;
    });
  } catch (error) {
    for (const name of written) await files.remove(name);
    throw takenProblem(error, 'one of these');
  }
}

async function refuseUnlessEmpty(trx: AccountTransaction): Promise<void> {
  for (const table of ['vehicle', 'driver', 'folder', 'department'] as const) {
    if (await trx.selectFrom(table).select('id').limit(1).executeTakeFirst()) throw new AppError('account-not-empty');
  }
}

/** Old ids to new ones. What refers to something that is not in the file refers to nothing. */
class Ids {
  readonly #ids = new Map<number, number>();
  set(old: number, made: number): void {
    this.#ids.set(old, made);
  }
  get(old: number | null): number | null {
    return old === null ? null : (this.#ids.get(old) ?? null);
  }
}

class Importing {
  readonly #trx: AccountTransaction;
  readonly #account: { readonly account_id: number };
  readonly #files: Files;
  readonly #written: string[];
  readonly #folders = new Ids();
  readonly #departments = new Ids();
  readonly #drivers = new Ids();
  readonly #vehicles = new Ids();
  readonly #images = new Map<string, string>();
  readonly #live = new LiveStatesOfImport();
  readonly #counts: Record<string, number> = {};
  #positions: object[] = [];

  constructor(trx: AccountTransaction, accountId: number, files: Files, written: string[]) {
    this.#trx = trx;
    this.#account = { account_id: accountId };
    this.#files = files;
    this.#written = written;
  }

  async take({ number, table, row }: Line): Promise<void> {
    if (!isImported(table)) return;
    const read = ROWS[table].safeParse(row);
    if (!read.success) {
      const [issue] = read.error.issues;
      throw broken(number, 'export-line', { detail: `${table}.${issue?.path.join('.')}: ${issue?.message}` });
    }
    this.#counts[table] = (this.#counts[table] ?? 0) + 1;
    try {
      // The schema of the table has read the row: the two go together.
      await (this.#takes[table] as (row: unknown) => Promise<void>)(read.data);
    } catch (error) {
      // A tracker that belongs to someone has a problem of its own.
      const isTaken = takenProblem(error, '') !== error;
      throw error instanceof DatabaseError && !isTaken ? broken(number, 'export-line', { detail: why(error) }) : error;
    }
  }

  async finish(): Promise<Imported> {
    await this.#flush();
    await this.#live.write(this.#trx, this.#account.account_id);
    return { rows: this.#counts, states: this.#live.states };
  }

  readonly #takes: Take = {
    folder: async ({ id, name, parent_id }) =>
      this.#folders.set(id, await this.#group('folder', name, this.#folders.get(parent_id))),
    department: async ({ id, name, parent_id }) =>
      this.#departments.set(id, await this.#group('department', name, this.#departments.get(parent_id))),
    driver: async ({ id, ...driver }) => {
      const made = await this.#trx
        .insertInto('driver')
        // Users are not imported; anyone who is a driver is linked to their driver again.
        .values({
          ...driver,
          ...this.#account,
          department_id: this.#departments.get(driver.department_id),
          user_id: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      this.#drivers.set(id, made.id);
    },
    vehicle: async ({ id, ...vehicle }) => {
      const made = await this.#trx
        .insertInto('vehicle')
        .values({
          ...vehicle,
          ...this.#account,
          folder_id: this.#folders.get(vehicle.folder_id),
          usual_driver_id: this.#drivers.get(vehicle.usual_driver_id),
          // A tracker on MQTT gets a key of its own by renewing it.
          device_key_hash: hashDeviceKey(randomBytes(20).toString('hex')),
        })
        .returning(['id', 'imei'])
        .executeTakeFirstOrThrow();
      this.#vehicles.set(id, made.id);
    },
    document: async ({ content, vehicle_id, driver_id, file_name, ...document }) => {
      const bytes = Buffer.from(content ?? '', 'base64');
      const type = documentTypeOf(bytes);
      const of = { vehicle_id: this.#vehicles.get(vehicle_id), driver_id: this.#drivers.get(driver_id) };
      // A file that was lost before the export can't come back.
      if (type === null || (of.vehicle_id === null) === (of.driver_id === null)) return;
      const file = await this.#files.write(bytes);
      this.#written.push(file);
      const saved = { file, type, bytes: bytes.length, file_name: safeFileName(file_name, type), created_by: null };
      await this.#trx
        .insertInto('document')
        .values({ ...document, ...this.#account, ...of, ...saved })
        .execute();
    },
    image: async ({ name, kind, content }) => {
      if (kind === 'user') return;
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
    account_setting: async ({ name, value }) => {
      const setting = SETTING_NAMES.find(each => each === name) as SettingName;
      const read = settingsSchema.shape[setting].safeParse(value);
      if (!read.success || read.data === null) return;
      const row = { value: JSON.stringify(read.data) };
      await this.#trx
        .insertInto('account_setting')
        .values({ ...row, ...this.#account, name: setting })
        .onConflict(conflict => conflict.columns(['account_id', 'name']).doUpdateSet(row))
        .execute();
    },
    position: async position => {
      const vehicle = this.#vehicles.get(position.vehicle_id);
      // Of a vehicle that was deleted while the export was written.
      if (vehicle === null) return;
      this.#live.take(vehicle, position);
      this.#positions.push({ ...position, ...this.#account, vehicle_id: vehicle });
      if (this.#positions.length >= BATCH) await this.#flush();
    },
  };

  async #group(kind: 'folder' | 'department', name: string, parentId: number | null): Promise<number> {
    const { id } = await this.#trx
      .insertInto(kind)
      .values({ ...this.#account, name, parent_id: parentId })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #flush(): Promise<void> {
    const rows = this.#positions;
    this.#positions = [];
    if (rows.length === 0) return;
    await importPositions(this.#trx, rows);
  }
}

/** In words that do not tell what else is in the database. */
function why({ code }: DatabaseError): string {
  if (code === '23505') return 'Something in this line is there already.';
  return 'This line can’t be kept.';
}
