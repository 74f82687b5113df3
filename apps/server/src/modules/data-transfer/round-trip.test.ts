import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillDesk } from '../../../testing/full-account/desk.ts';
import { fillRest } from '../../../testing/full-account/rest.ts';
import { fillTrail } from '../../../testing/full-account/trail.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { exported, imported } from '../../../testing/transfers.ts';
import { TABLES } from './tables.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
});
afterAll(() => server.close());

/** Tables of a bundle that `data-transfer.test.ts` fills: what is checked or counted when it comes. */
const ELSEWHERE = ['document', 'image', 'tenant', 'custom_role', 'duty_entry', 'duty_root', 'position'];

/** When someone was here, what begins anew, and numbers that nothing names, are new. */
const NEW = new Set(['last_seen_at', 'since', 'version', 'next_at', 'rp_id', 'seq', 'imported_at']);
const NUMBERED_ANEW = new Set([
  'private_hours',
  'private_drive',
  'coaching_note',
  'report_schedule',
  'driver_span',
  'audit_entry',
]);
/** Whoever imports is a user, too, and what they do is noted. */
const GROWS = new Set(['app_user', 'audit_entry', 'look']);
/** What an import changes on purpose; `moved.test.ts` says how. */
const DECIDED = new Set(['webhook.is_on', 'webhook.needs_address', 'duty_input.vehicle_id', 'audit_entry.rule']);

/** A picture is encoded anew, whatever the file has; a preference that was never chosen is not there or null. */
function shown(name: string, value: unknown): unknown {
  if (name === 'content') return String(value).slice(0, 5);
  if (name !== 'preferences') return value;
  return Object.fromEntries(Object.entries(value as object).filter(([, chosen]) => chosen !== null));
}

/** The rows of each table that an import takes, without what is new where they come. */
function rowsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, string[]>();
  for (const line of text.trimEnd().split('\n').slice(1, -1)) {
    const { row, table } = JSON.parse(line) as {
      readonly table?: keyof typeof TABLES;
      readonly row: Record<string, unknown>;
    };
    if (table === undefined || TABLES[table].in !== 'both') continue;
    const isKept = (name: string): boolean =>
      !NEW.has(name) && !DECIDED.has(`${table}.${name}`) && !(name === 'id' && NUMBERED_ANEW.has(table));
    const kept = Object.entries(row).filter(([name]) => isKept(name));
    const said = kept.map(([name, value]) => [name, shown(name, value)]);
    rows.set(table, [...(rows.get(table) ?? []), JSON.stringify(Object.fromEntries(said))].sort());
  }
  return rows;
}

/** Columns that say nothing in this account: what is lost of them would not be seen. */
const EMPTY = new Set([
  ...['driver.user_id', 'driver.archived', 'geofence.is_for_all', 'rule.is_for_all', 'carrier.terminals'],
  ...['app_user.image', 'app_user.custom_role_id', 'app_user.scope_folders', 'app_user.scope_departments'],
  ...['app_user.email', 'app_user.confirmed_email', 'app_user.expires_at', 'app_user.must_change_password'],
  ...['report_schedule.attaches', 'report_schedule.last_at', 'rule.push_to', 'rule.built_in'],
  ...['task.assigned_by', 'task_step.user_id'],
  ...['alert.escalation', 'alert.escalate_at', 'alert.is_muted', 'log_setting.synced_at', 'log_setting.terminal_id'],
  'control_rule.second_person',
]);

function emptyColumnsOf(tables: ReadonlyMap<string, readonly string[]>): string[] {
  const isEmpty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);
  return [...tables].flatMap(([table, texts]) => {
    const rows = texts.map(text => JSON.parse(text) as Readonly<Record<string, unknown>>);
    const names = Object.keys(rows[0] ?? {});
    return names.filter(name => rows.every(row => isEmpty(row[name]))).map(name => `${table}.${name}`);
  });
}

it('an account that was imported is exported with the same rows, in every table that an import takes [N13]', async () => {
  const owner = await signedIn(server);
  await fillDesk(server, owner);
  await fillRest(server, owner.accountId);
  await fillTrail(server, owner.accountId);
  const { system } = server.context.db;
  await system.updateTable('app_user').set({ created_by: 'ann' }).where('account_id', '=', owner.accountId).execute();
  await system
    .updateTable('notification_setting')
    .set({ changed_by: owner.userId })
    .where('account_id', '=', owner.accountId)
    .execute();
  const before = rowsOf(await exported(server, owner));
  expect(emptyColumnsOf(before).filter(column => !EMPTY.has(column))).toEqual([]);
  const both = Object.entries(TABLES).flatMap(([name, { in: where }]) => (where === 'both' ? [name] : []));
  expect([...before.keys(), ...ELSEWHERE].sort()).toEqual(both.sort());
  const text = await exported(server, owner);
  await server.context.db.system.deleteFrom('account').where('id', '=', owner.accountId).execute();
  const other = await signedIn(server);
  await imported(server, other, text);
  const after = rowsOf(await exported(server, other));
  for (const table of before.keys()) {
    if (GROWS.has(table)) expect(after.get(table)).toEqual(expect.arrayContaining([...(before.get(table) ?? [])]));
    else expect([table, after.get(table)]).toEqual([table, before.get(table)]);
  }
});
