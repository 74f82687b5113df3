import { type Actor, mayGrant } from '@milepost/contract';
import { canonicalJson, contentOf, linkHash, readEntry, rootOf, START } from '@milepost/eld';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { customPermissions } from '../accounts/load-session.ts';
import { readPreferences } from '../accounts/preferences.ts';
import { calendarOf } from '../history/days/calendar.ts';
import { nextAt } from '../reports/schedules/when.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { insertRow } from './insert-rows.ts';
import type { KeptIds } from './kept-ids.ts';
import type { RECORD_ROWS } from './record-rows.ts';
import type { Row } from './rows.ts';
import { WrongRow } from './wrong-row.ts';

export type RecordTable = keyof typeof RECORD_ROWS;

/** What an import knows so far. */
export interface ImportContext {
  readonly trx: AccountTransaction;
  readonly accountId: number;
  readonly ids: KeptIds;
  /** Who imports: a file gives no rights that they could not give. */
  readonly grantor: Actor;
  /** Names of pictures, old to new. */
  readonly images: ReadonlyMap<string, string>;
  /** The driver whom a user is, by the user's old ID. */
  readonly drivers: ReadonlyMap<string, number>;
}

/**
 * People, their views, and what was done. Each answers whether its row came: one that names what is not there, or what
 * could not keep its ID, stays in the file.
 */
export class ImportedRecords {
  readonly #of: ImportContext;
  /** Old IDs to new ones. */
  readonly #users = new Map<string, string>();
  /** Users who were deleted, or who have no account here: what they did keeps their names. */
  readonly #former = new Set<string>();
  readonly #roles = new Map<number, readonly string[]>();
  readonly #chains = new Set<string>();
  /** Rows that came before the users, and who made them. */
  readonly #unsigned: { readonly by: string; readonly sign: (user: string) => Promise<unknown> }[] = [];
  /** Whether the logbook comes at all; null until its first record. */
  #isLogbookKept: boolean | null = null;
  #entries = 0;

  constructor(of: ImportContext) {
    this.#of = of;
  }

  readonly takes: { readonly [T in RecordTable]: (row: Row<T>) => Promise<boolean> } = {
    custom_role: async ({ id, ...role }) => {
      this.#refuseMore({ role: role.based_on, permissions: customPermissions(role.permissions), scope: null });
      this.#roles.set(id, role.permissions);
      const same = await this.#sameRole(role);
      if (same === undefined) await this.#of.ids.add('custom_role', id, { ...role, ...this.#account });
      else this.#of.ids.of('custom_role').set(id, same);
      return same === undefined;
    },
    app_user: async ({ custom_role_id, id, image, preferences, ...user }) => {
      const { ids, images, trx } = this.#of;
      const existing = await trx
        .selectFrom('app_user')
        .select('id')
        .where(sql<boolean>`lower(user_name) = lower(${user.user_name})`)
        .executeTakeFirst();
      // Who imports is mostly in the file, too.
      if (existing) {
        this.#users.set(id, existing.id);
        await this.#linkDriver(id, existing.id);
        return false;
      }
      const permissions = custom_role_id === null ? undefined : this.#roles.get(custom_role_id);
      this.#refuseMore({
        role: user.role,
        permissions: permissions ? customPermissions(permissions) : null,
        scope: user.scope_folders,
      });
      const within = (table: 'folder' | 'department', of: readonly number[] | null): number[] | null =>
        of?.flatMap(old => ids.of(table).get(old) ?? []) ?? null;
      // A user name and an email are there only once: another account of this server may have them.
      const made = await insertRow(trx, 'app_user', {
        ...{ ...user, ...this.#account, id, image: images.get(image ?? '') ?? null },
        custom_role_id: ids.of('custom_role').get(custom_role_id),
        scope_folders: within('folder', user.scope_folders),
        scope_departments: within('department', user.scope_departments),
        // Without a password: invited again, they choose a new one.
        preferences: readPreferences(preferences),
      });
      if (!made) {
        await this.#addFormer({ id, user_name: user.user_name, display_name: user.display_name, role: user.role });
        return false;
      }
      this.#users.set(id, id);
      await this.#linkDriver(id, id);
      return true;
    },
    former_user: row => this.#addFormer(row),
    former_driver: ({ id, name }) => this.#of.ids.addFormer('driver', id, { ...this.#account, name }),
    former_vehicle: ({ id, ...vehicle }) => this.#of.ids.addFormer('vehicle', id, { ...this.#account, ...vehicle }),
    saved_view: async ({ id, created_by, owner_id, ...view }) => {
      const owner = this.userOf(owner_id);
      if (owner_id !== null && owner === null) return false;
      await this.#of.ids.add('saved_view', id, {
        ...{ ...view, ...this.#account, owner_id: owner, created_by: this.personOf(created_by) },
      });
      return true;
    },
    view_order: async ({ page, user_id, view_ids }) => {
      const user = this.userOf(user_id);
      if (user === null) return false;
      const views = view_ids.flatMap(old => this.#of.ids.of('saved_view').get(old) ?? []);
      await this.#put('view_order', { page, user_id: user, view_ids: views });
      return true;
    },
    report_schedule: async ({ query, recipients, rule, user_id, ...schedule }) => {
      const user = this.userOf(user_id);
      const known = recipients.flatMap(old => this.userOf(old) ?? []);
      if (user === null || known.length === 0) return false;
      const { settings } = await readAccountSettings(this.#of.trx);
      // What was due meanwhile is not made up for.
      const next_at = new Date(nextAt(calendarOf(settings.timeZone), rule, Date.now()));
      await this.#put('report_schedule', { ...schedule, query, rule, user_id: user, recipients: known, next_at });
      return true;
    },
    task: async ({ assigned_by, created_by, driver_id, id, vehicle_id, ...task }) => {
      const { ids } = this.#of;
      await ids.add('task', id, {
        ...{
          ...task,
          ...this.#account,
          created_by: this.personOf(created_by),
          assigned_by: this.personOf(assigned_by),
        },
        ...{ driver_id: ids.named('driver', driver_id), vehicle_id: ids.named('vehicle', vehicle_id) },
      });
      return true;
    },
    task_step: async ({ task_id, user_id, ...step }) => {
      const task = this.#of.ids.of('task').get(task_id);
      if (task === null) return false;
      await this.#put('task_step', { ...step, task_id: task, user_id: this.personOf(user_id) });
      return true;
    },
    alert: async ({
      acknowledged_by,
      command_id,
      driver_id,
      geofence_id,
      rule,
      rule_id,
      task,
      task_id,
      vehicle_id,
      ...alert
    }) => {
      const { ids } = this.#of;
      const vehicle = ids.of('vehicle').get(vehicle_id);
      // One of a task may have no vehicle.
      if (vehicle === null && (vehicle_id !== null || !task)) return false;
      const { other } = rule ?? {};
      const otherId = ids.of('vehicle').get(other?.id ?? null);
      return this.#put('alert', {
        rule: rule && { ...rule, other: other && otherId !== null ? { ...other, id: otherId } : null },
        ...{ ...alert, vehicle_id: vehicle, acknowledged_by: this.personOf(acknowledged_by) },
        ...{ driver_id: ids.named('driver', driver_id), rule_id: ids.of('rule').get(rule_id) },
        ...{ geofence_id: ids.of('geofence').get(geofence_id), task_id: ids.of('task').get(task_id ?? null) },
        command_id: await this.#commandOf(command_id ?? null),
        task: task ? { ...task } : null,
      });
    },
    carrier: async ({ terminals, ...carrier }) => {
      const row = { ...carrier, terminals: JSON.stringify(terminals) };
      await this.#of.trx
        .insertInto('carrier')
        .values({ ...row, ...this.#account })
        .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
        .execute();
      return true;
    },
    log_setting: async ({ driver_id, ...setting }) => {
      const driver = this.#of.ids.of('driver').get(driver_id);
      if (driver === null) return false;
      await this.#put('log_setting', { ...setting, driver_id: driver });
      return true;
    },
    duty_entry: async ({ content, device, device_hash, device_position, hash, entry: text, ...row }) => {
      if (!(await this.keepsLogbook(row.log, device))) return false;
      const entry = readEntry(JSON.parse(text));
      if (!entry.ok) throw new WrongRow(`duty_entry.entry: ${entry.fault.message}`);
      const { action, id, log } = entry.value;
      const isItself = log === row.log && id === row.id && canonicalJson(entry.value) === text;
      if (!isItself || contentOf(entry.value) !== content.slice(2)) throw new WrongRow('duty_entry: was changed');
      const kept = { ...row, action, content, device, device_hash, device_position, hash, entry: text };
      if (!(await this.#put('duty_entry', kept))) throw new WrongRow('duty_entry: is there twice');
      this.#chains.add(row.log);
      if (device !== null) this.#chains.add(device);
      this.#entries++;
      return true;
    },
    duty_root: async ({ head, previous, root, ...row }) => {
      if (!(await this.keepsLogbook(row.chain, null))) return false;
      const hashes = { previous: previous.slice(2), head: head.slice(2) };
      if (rootOf({ ...row, ...hashes }).root !== root.slice(2)) throw new WrongRow('duty_root: was changed');
      await this.#put('duty_root', { ...row, head, previous, root });
      return true;
    },
    log_declaration: async ({ driver_id, ...declaration }) => {
      const driver = this.#of.ids.of('driver').get(driver_id);
      if (driver === null) return false;
      await this.#put('log_declaration', { ...declaration, driver_id: driver });
      return true;
    },
  };

  /** Says who made a row, once all users are known; nobody if they didn't come. */
  signLater(by: string | null, sign: (user: string) => Promise<unknown>): void {
    if (by !== null) this.#unsigned.push({ by, sign });
  }

  /** Throws if a chain of the logbook is not what its records and daily roots say. */
  async finish(): Promise<void> {
    const { trx } = this.#of;
    for (const { by, sign } of this.#unsigned.splice(0)) {
      const user = this.personOf(by);
      if (user !== null) await sign(user);
    }
    for (const chain of this.#chains) {
      const isDevice = chain.startsWith('vehicle:');
      const rows = await trx
        .selectFrom('duty_entry')
        .select(['log', 'content'])
        .select(isDevice ? ['device_position as position', 'device_hash as hash'] : ['position', 'hash'])
        .where(isDevice ? 'device' : 'log', '=', chain)
        .orderBy('position')
        .execute();
      const hashes: string[] = [];
      for (const [position, { content, hash, log, position: written }] of rows.entries()) {
        const link = { chain, position, log, content: content.toString('hex') };
        const next = linkHash(link, hashes.at(-1) ?? START);
        if (written !== position || hash?.toString('hex') !== next) throw new WrongRow(`${chain}, record ${position}`);
        hashes.push(next);
      }
      const roots = await trx.selectFrom('duty_root').selectAll().where('chain', '=', chain).execute();
      for (const { count, first, head, previous } of roots) {
        const [before = START, last] = [hashes[first - 1], hashes[first + count - 1]];
        if (previous.toString('hex') !== before || head.toString('hex') !== last) {
          throw new WrongRow(`${chain}, daily root of record ${first}`);
        }
      }
    }
  }

  get #account(): { readonly account_id: number } {
    return { account_id: this.#of.accountId };
  }

  async #put(table: string, row: object): Promise<boolean> {
    return (await insertRow(this.#of.trx, table, { ...row, ...this.#account })) !== null;
  }

  /** It came, under the ID that it had. */
  async #commandOf(id: string | null): Promise<string | null> {
    if (id === null) return null;
    const found = await this.#of.trx.selectFrom('command').select('id').where('id', '=', id).executeTakeFirst();
    return found?.id ?? null;
  }

  /** The account's role with this name and these rights. */
  async #sameRole({ name, based_on, permissions }: Omit<Row<'custom_role'>, 'id'>): Promise<number | undefined> {
    const known = await this.#of.trx
      .selectFrom('custom_role')
      .select(['id', 'based_on', 'permissions'])
      .where(sql<boolean>`lower(name) = lower(${name})`)
      .executeTakeFirst();
    const list = (of: readonly string[]): string => of.toSorted().join();
    const isSame = known?.based_on === based_on && list(known.permissions) === list(permissions);
    return isSame ? known.id : undefined;
  }

  /** A user by the ID in the file; null if they didn't come. */
  userOf(old: string | null): string | null {
    return old === null ? null : (this.#users.get(old) ?? null);
  }

  /** Whom a row names as having done something: a user, or one who was deleted or didn't come. */
  personOf(old: string | null): string | null {
    return this.userOf(old) ?? (old !== null && this.#former.has(old) ? old : null);
  }

  async #addFormer({ id, ...row }: Row<'former_user'>): Promise<boolean> {
    const { trx } = this.#of;
    const known = await trx.selectFrom('app_user').select('id').where('id', '=', id).executeTakeFirst();
    // A person has one name.
    if (known) return false;
    this.#former.add(id);
    return this.#put('former_user', { ...row, id });
  }

  #refuseMore(granted: Omit<Actor, 'readOnly'>): void {
    if (!mayGrant(this.#of.grantor, granted)) throw new AppError('more-than-you-hold');
  }

  async #linkDriver(old: string, user: string): Promise<void> {
    const driver = this.#of.drivers.get(old);
    if (driver === undefined) return;
    await this.#of.trx.updateTable('driver').set({ user_id: user }).where('id', '=', driver).execute();
  }

  /**
   * Records name drivers and vehicles in what is hashed, so they come only if every one of these has the ID that it had.
   * Of a driver who was deleted, the ID must not become another's.
   */
  async keepsLogbook(...chains: readonly (string | null)[]): Promise<boolean> {
    const { ids } = this.#of;
    this.#isLogbookKept ??= ids.areKept('driver') && ids.areKept('vehicle');
    for (const chain of chains) {
      if (chain === null || this.#chains.has(chain) || !this.#isLogbookKept) continue;
      const id = Number(chain.slice(chain.indexOf(':') + 1));
      this.#isLogbookKept = await ids.isFreeOrKept(chain.startsWith('driver:') ? 'driver' : 'vehicle', id);
      // What came before it named others only.
      if (!this.#isLogbookKept && this.#entries > 0) throw new WrongRow(`${chain} is another’s on this server`);
    }
    return this.#isLogbookKept;
  }
}
