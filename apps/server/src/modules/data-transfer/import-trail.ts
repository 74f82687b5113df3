import { randomBytes } from 'node:crypto';
import { AUDIT_ACTIONS, LOOK_KINDS } from '@milepost/contract';
import { sql } from 'kysely';
import { isBeforeSending, isOpen, transitionOf } from '../commands/transitions.ts';
import type { ImportContext, Takes } from './import-desk.ts';
import { insertRow, RowsTogether } from './insert-rows.ts';
import type { NumberedTable } from './kept-ids.ts';
import type { Row } from './rows.ts';
import type { TRAIL_ROWS } from './trail-rows.ts';

export type TrailTable = keyof typeof TRAIL_ROWS;

export interface Trail {
  readonly takes: Takes<TrailTable>;
  /** Writes the rows that were taken so far. */
  flush(): Promise<void>;
}

/** The table that an entry's target is in, by the part of its action before the dot. */
const TARGETS: Readonly<Record<string, NumberedTable>> = {
  vehicle: 'vehicle',
  command: 'vehicle',
  folder: 'folder',
  department: 'department',
  driver: 'driver',
  geofence: 'geofence',
  'geofence-group': 'geofence_group',
  rule: 'rule',
  role: 'custom_role',
  view: 'saved_view',
  task: 'task',
  share: 'share_link',
  webhook: 'webhook',
};
const ACTIONS: ReadonlySet<string> = new Set(AUDIT_ACTIONS);
const KINDS: ReadonlySet<string> = new Set(LOOK_KINDS);
/** The table of the link that a look went through. */
const LINKS: Readonly<Partial<Record<Row<'look'>['via'], NumberedTable>>> = { share: 'share_link', webhook: 'webhook' };

/**
 * What was done where the file comes from, marked as imported because this server has not seen it. Each answers whether
 * its row came; actions and kinds that this version doesn't know stay in the file.
 */
export function takesOfTrail({ accountId, ids, trx, userOf }: ImportContext): Trail {
  const imported = { account_id: accountId, imported_at: new Date() };
  /** The user's ID here; the old one if the user is not in the file. */
  const known = <T extends string | null>(user: T): string | T => userOf(user) ?? user;
  const looks = new RowsTogether(rows => sql`select import_looks(${JSON.stringify(rows)}::json)`.execute(trx));
  const entries = new RowsTogether(rows => {
    const all = JSON.stringify(rows);
    const columns = sql.join(Object.keys(rows[0] ?? {}).map(name => sql.ref(name)));
    return sql`insert into audit_entry (${columns})
      select ${columns} from json_populate_recordset(null::audit_entry, ${all}::json)`.execute(trx);
  });
  /** A hash that no grant has: permission to send a command doesn't move with it. */
  const spent = (): string => `\\x${randomBytes(32).toString('hex')}`;

  const targetOf = ({ action, target_id }: Row<'audit_entry'>): string | null => {
    if (target_id === null) return null;
    const [about = ''] = action.split('.');
    if (about === 'user') return known(target_id);
    const table = TARGETS[about];
    const id = table ? ids.of(table).get(Number(target_id)) : null;
    return id === null ? target_id : String(id);
  };

  return {
    flush: async () => {
      await entries.flush();
      await looks.flush();
    },
    takes: {
      command: async ({ created_by, effect, second_by, steps, waiting_for, ...command }) => {
        const vehicle = ids.of('vehicle').get(command.vehicle_id);
        if (vehicle === null) return false;
        const { state } = command;
        // No command of a file is sent, and the outcome of one that was already sent is unknown here.
        const end = isOpen(state) ? transitionOf(state, isBeforeSending(state) ? 'superseded' : 'restarted') : null;
        const last = end && { at: new Date().toISOString(), state: end.to, reason: end.reason };
        const done = steps.map(step => ({ ...step, by: known(step.by) }));
        const by = { created_by: userOf(created_by), second_by: userOf(second_by) };
        const row = await insertRow(trx, 'command', {
          ...{ ...command, account_id: accountId, ...by, vehicle_id: vehicle, state: end?.to ?? state },
          steps: last ? [...done, { ...last, by: null, interlock: null }] : done,
          waiting_for: end ? null : waiting_for,
          effect: effect === 'awaited' ? null : effect,
          grant_hash: command.category === 'control' ? spent() : null,
          second_grant_hash: command.second_by_name === null ? null : spent(),
        });
        return row !== null;
      },
      // Without the rule as it was: its IDs of users and geofences may belong to others here.
      audit_entry: async ({ changes, user_id, ...entry }) => {
        if (!ACTIONS.has(entry.action)) return false;
        const target_id = targetOf({ changes, user_id, ...entry });
        await entries.add({ ...entry, ...imported, user_id: known(user_id), target_id, changes });
        return true;
      },
      look: async ({ driver_id, link_id, user_id, via, ...look }) => {
        const driver = ids.of('driver').get(driver_id);
        if (driver === null || !KINDS.has(look.kind)) return false;
        const table = LINKS[via];
        const link = (table && ids.of(table).get(link_id)) ?? link_id;
        await looks.add({ ...look, via, driver_id: driver, user_id: known(user_id), link_id: link });
        return true;
      },
      private_opening: async ({ driver_id, user_id, vehicle_id, ...opening }) => {
        const vehicle = ids.of('vehicle').get(vehicle_id) ?? vehicle_id;
        const driver = ids.of('driver').get(driver_id) ?? driver_id;
        const of = { user_id: known(user_id), vehicle_id: vehicle, driver_id: driver };
        return (await insertRow(trx, 'private_opening', { ...opening, ...of, ...imported })) !== null;
      },
    },
  };
}
