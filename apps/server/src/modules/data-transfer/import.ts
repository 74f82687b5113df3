import { randomBytes } from 'node:crypto';
import {
  BUILT_IN_KINDS,
  casesOf,
  RULES_MAX,
  SETTING_NAMES,
  type SettingName,
  settingsSchema,
} from '@milepost/contract';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { hashDeviceKey } from '../../fleet/device-key.ts';
import type { VehicleState } from '../../fleet/vehicle-state.ts';
import type { JobRun } from '../../jobs/one-off.ts';
import { importPositions } from '../../tracks/write.ts';
import { type Author, audit } from '../audit/audit.ts';
import { documentTypeOf, safeFileName } from '../documents/file-type.ts';
import type { Files } from '../documents/files.ts';
import { refuseImpossibleShape } from '../geofences/shapes.ts';
import { encodeImage } from '../images/encode.ts';
import { storeImage } from '../images/store.ts';
import { takenProblem } from '../vehicles/taken.ts';
import { broken, isImported, type Line, readLines } from './lines.ts';
import { LiveStatesOfImport } from './live-states.ts';
import { type ImportedTable, ROWS, type Row } from './rows.ts';

export type RowsOfTables = Readonly<Record<string, number>>;

/** Undoes what a transaction has done. */
class Undo extends Error {}

type Take = { readonly [T in ImportedTable]: (row: Row<T>) => Promise<void> };

/** Positions that go into the database at once. */
const BATCH = 2000;
const IMPORT_LOCK = 4;

/**
 * Throws what stands against a file, and answers its rows otherwise: everything but the positions is read in and undone
 * again, so that what the database refuses is known at once.
 */
export async function checkImport({ db }: Pick<Context, 'db'>, accountId: number, path: string): Promise<number> {
  let rows = 0;
  const nowhere = { write: async () => randomBytes(16).toString('hex') };
  try {
    return await db.asAccount(accountId, async trx => {
      await enter(trx, accountId);
      const importing = new Importing(trx, accountId, nowhere, 'without positions');
      for await (const line of readLines(path)) {
        await importing.take(line);
        rows++;
      }
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return rows;
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
  { run, author, path }: { readonly run: JobRun; readonly author: Author; readonly path: string },
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
      const importing = new Importing(trx, run.accountId, kept, 'all');
      let read = 0;
      for await (const line of readLines(path)) {
        if (run.signal.aborted) throw new Undo();
        await importing.take(line);
        await run.progress(++read);
      }
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
  readonly #files: Pick<Files, 'write'>;
  readonly #withPositions: boolean;
  readonly #folders = new Ids();
  readonly #departments = new Ids();
  readonly #drivers = new Ids();
  readonly #vehicles = new Ids();
  readonly #geofenceGroups = new Ids();
  readonly #geofences = new Ids();
  readonly #rules = new Ids();
  readonly #images = new Map<string, string>();
  readonly #live = new LiveStatesOfImport();
  readonly #counts: Record<string, number> = {};
  #positions: object[] = [];

  constructor(
    trx: AccountTransaction,
    accountId: number,
    files: Pick<Files, 'write'>,
    what: 'all' | 'without positions',
  ) {
    this.#trx = trx;
    this.#account = { account_id: accountId };
    this.#files = files;
    this.#withPositions = what === 'all';
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

  async finish(): Promise<{ readonly rows: RowsOfTables; readonly states: ReadonlyMap<number, VehicleState> }> {
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
    geofence_group: async ({ id, ...group }) => {
      const made = await this.#trx
        .insertInto('geofence_group')
        .values({ ...group, ...this.#account })
        .returning('id')
        .executeTakeFirstOrThrow();
      this.#geofenceGroups.set(id, made.id);
    },
    geofence: async ({ id, group_id, shape, ...geofence }) => {
      refuseImpossibleShape(shape);
      const of = { ...this.#account, group_id: this.#geofenceGroups.get(group_id), shape: JSON.stringify(shape) };
      const made = await this.#trx
        .insertInto('geofence')
        .values({ ...geofence, ...of, speed_limit_kmh: geofence.speed_limit_kmh ?? null })
        .returning('id')
        .executeTakeFirstOrThrow();
      this.#geofences.set(id, made.id);
    },
    geofence_vehicle: async row => {
      const geofence = this.#geofences.get(row.geofence_id);
      const of = { folder_id: this.#folders.get(row.folder_id), vehicle_id: this.#vehicles.get(row.vehicle_id) };
      if (geofence === null || (of.folder_id === null) === (of.vehicle_id === null)) return;
      await this.#trx
        .insertInto('geofence_vehicle')
        .values({ ...of, ...this.#account, geofence_id: geofence })
        .execute();
    },
    rule: async ({ id, when, ...row }) => {
      if ((this.#counts.rule ?? 0) > RULES_MAX + BUILT_IN_KINDS.length) {
        throw new AppError('too-many-rules', { limit: RULES_MAX });
      }
      const { conditions, isWhole, trigger } = this.#named(row);
      // Users aren't imported: its alerts go to everyone as they chose, and it has no owner.
      const toAll = { mail_to: null, push_to: null, webhook_ids: null, owner_id: null, created_by: null };
      const noOneElse = { escalate_minutes: null, escalate_to: null };
      const made = await this.#trx
        .insertInto('rule')
        .values({
          ...{ ...row, ...this.#account, ...toAll, ...noOneElse },
          ...{ trigger: JSON.stringify(trigger), when: when && JSON.stringify(when) },
          conditions: conditions && JSON.stringify(conditions),
          // A built-in alert is told from its beginning on, a rule from now on.
          ...(row.built_in !== null && { since: new Date(0) }),
          is_on: row.is_on && isWhole,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      this.#rules.set(id, made.id);
    },
    rule_geofence: async ({ rule_id, geofence_id, place }) => {
      const of = { rule_id: this.#rules.get(rule_id), geofence_id: this.#geofences.get(geofence_id) };
      if (of.rule_id === null || of.geofence_id === null) return;
      const row = { ...this.#account, rule_id: of.rule_id, geofence_id: of.geofence_id, place };
      await this.#trx.insertInto('rule_geofence').values(row).execute();
    },
    rule_vehicle: async row => {
      const rule = this.#rules.get(row.rule_id);
      const of = { folder_id: this.#folders.get(row.folder_id), vehicle_id: this.#vehicles.get(row.vehicle_id) };
      if (rule === null || (of.folder_id === null) === (of.vehicle_id === null)) return;
      await this.#trx
        .insertInto('rule_vehicle')
        .values({ ...of, ...this.#account, rule_id: rule })
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
      if (vehicle === null || !this.#withPositions) return;
      this.#live.take(vehicle, position);
      this.#positions.push({ ...position, ...this.#account, vehicle_id: vehicle });
      if (this.#positions.length >= BATCH) await this.#flush();
    },
  };

  /** With new ids in place of old ones; whole, unless something that it named is not in the file. */
  #named({ conditions, trigger }: Pick<Row<'rule'>, 'conditions' | 'trigger'>) {
    const lists: (readonly [of: Ids, ids: readonly string[]])[] = [];
    const renamed = (of: Ids, ids: readonly string[]): string[] => {
      lists.push([of, ids]);
      return ids.flatMap(old => of.get(Number(old)) ?? []).map(String);
    };
    const [first, ...or] = casesOf(conditions).map(one => ({
      ...one,
      drivers: one.drivers && {
        driverIds: renamed(this.#drivers, one.drivers.driverIds),
        departmentIds: renamed(this.#departments, one.drivers.departmentIds),
      },
      vehicles: one.vehicles && {
        folderIds: renamed(this.#folders, one.vehicles.folderIds),
        deviceIds: renamed(this.#vehicles, one.vehicles.deviceIds),
      },
      places: one.places && { ...one.places, geofenceIds: renamed(this.#geofences, one.places.geofenceIds) },
    }));
    return {
      trigger: 'otherIds' in trigger ? { ...trigger, otherIds: renamed(this.#vehicles, trigger.otherIds) } : trigger,
      conditions: first ? { ...first, or } : null,
      isWhole: lists.every(([of, ids]) => ids.every(old => of.get(Number(old)) !== null)),
    };
  }

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
