import { randomUUID } from 'node:crypto';
import type { AuditEntry, Command, LogExport, Look, Webhook } from '@milepost/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, fillDesk, LATER } from '../../../testing/full-account/desk.ts';
import { fillTrail } from '../../../testing/full-account/trail.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { callerOf } from '../../../testing/organisation.ts';
import { shareLink } from '../../../testing/share-link.ts';
import { exported, imported, refused } from '../../../testing/transfers.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
});
afterAll(() => server.close());

/** Without seals, as somebody could write it. */
const unsealed = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(line => !('seal' in line))
    .map(({ sha256: _, ...line }) => JSON.stringify('format' in line ? { ...line, version: 1 } : line))
    .join('\n');

let serial = 871_300;

/** A file of an account that was filled, and is gone. */
async function moved() {
  const owner = await signedIn(server);
  await fillDesk(server, owner, testImei(++serial));
  await fillTrail(server, owner.accountId);
  const { system } = server.context.db;
  const { id: vehicle } = await system
    .selectFrom('vehicle')
    .select('id')
    .where('account_id', '=', owner.accountId)
    .executeTakeFirstOrThrow();
  const link = await shareLink(server, owner, vehicle, 'Works on');
  const open = {
    ...{ account_id: owner.accountId, vehicle_id: vehicle, imei: '1', action: 'engineStop', category: 'control' },
    ...{ params: '{}', mode: 'immediate', state: 'queued', effect: 'awaited', created_at: LATER, sent: 0, steps: '[]' },
    ...{ expires_at: new Date(Date.now() + 3_600_000), created_by: owner.userId, created_by_name: 'Ann' },
  };
  const left = { state: 'published', sent: 1, published_at: LATER };
  for (const [i, more] of [{}, left].entries()) {
    const row = { ...open, ...more, id: randomUUID(), grant_hash: Buffer.alloc(32, `${owner.accountId} ${i}`) };
    await system
      .insertInto('command')
      .values(row as never)
      .execute();
  }
  await sql`insert into webhook_delivery (account_id, webhook_id, state, next_at)
    select account_id, id, 'waiting', now() from webhook where account_id = ${owner.accountId}`.execute(system);
  const text = await exported(server, owner);
  await system.deleteFrom('account').where('id', '=', owner.accountId).execute();
  return { text, vehicle, link };
}

it('what an account did comes with it, marked as brought, and sends, tells and lets in only what it should [N13]', async () => {
  const { link, text } = await moved();
  for (const secret of ['SECRET-PATH', 'NOT-FOR-FILES', link.token]) expect(text).not.toContain(secret);
  const other = await signedIn(server);
  const { rows } = await imported(server, other, text);
  expect(rows).toMatchObject({
    webhook: 1,
    webhook_delivery: 1,
    share_link: 2,
    command: 3,
    look: 1,
    duty_signature: 3,
  });
  const call = callerOf(server, other);
  const read = async <T>(path: string): Promise<T> => {
    const { body, status, text: answer } = await call('GET', path);
    expect([path, status, status === 200 ? '' : answer]).toEqual([path, 200, '']);
    return body as T;
  };

  // Commands are history: nothing of them is sent, whatever they waited for.
  const commands = await read<Command[]>('/command');
  expect(commands.map(({ effect, state, steps }) => [state, steps.at(-1)?.reason, effect]).toSorted()).toEqual([
    ['cancelled', 'no-longer-applies', null],
    ['failed', 'no-answer', 'seen'],
    ['failed', 'outcome-unknown', null],
  ]);

  // A webhook tells nobody until somebody knows its address.
  const [webhook] = await read<[Webhook]>('/webhook');
  expect(webhook).toMatchObject({ enabled: false, needsAddress: true, url: 'https://hooks.example.com/', waiting: 0 });
  const path = `/webhook/${webhook.id}`;
  for (const answer of [await call('PATCH', path, { enabled: true }), await call('POST', `${path}/test`)]) {
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'webhook-needs-address' }]);
  }
  const url = 'https://hooks.example.com/T1/NEW';
  const on = await call('PATCH', path, { url, enabled: true });
  expect([on.status, on.body]).toMatchObject([200, { enabled: true, url }]);
  expect(on.body).not.toHaveProperty('needsAddress');
  expect(await read('/alert-rule')).toMatchObject([{ webhookIds: [webhook.id] }]);

  // A link that somebody has works on; one that was ended does not.
  const shared = await server.call('GET', '/api/v1/shared', { token: link.token });
  expect([shared.status, shared.body]).toMatchObject([200, { shared: { vehicles: [{ name: '4127' }] } }]);

  // What was brought says so, and is older than what happened here.
  const { entries } = await read<{ entries: AuditEntry[] }>('/audit?limit=100');
  const at = (entry: AuditEntry) => Date.parse(entry.at);
  expect(entries.map(at)).toEqual(entries.map(at).toSorted((a, b) => b - a));
  expect(entries.find(({ action }) => action === 'data.imported')).not.toHaveProperty('importedAt');
  const old = entries.find(entry => at(entry) === DAY.getTime());
  expect(old).toMatchObject({ action: 'vehicle.changed', importedAt: expect.any(String) });
  const last = entries.find(({ importedAt }) => importedAt !== undefined)?.id;
  const next = await read<{ entries: AuditEntry[] }>(`/audit?limit=100&before=${last}`);
  expect(next.entries).toEqual(entries.slice(entries.findIndex(({ id }) => id === last) + 1));
  const [driver] = await read<{ id: string }[]>('/driver');
  const period = `from=${DAY.toISOString()}&to=${LATER.toISOString()}`;
  const { looks } = await read<{ looks: Look[] }>(`/driver/${driver?.id}/look?${period}`);
  expect(looks).toMatchObject([{ via: 'share', link: { name: 'Customer' }, importedAt: expect.any(String) }]);
  expect(await read<LogExport[]>('/eld/export')).toMatchObject([{ by: 'Joe Shop', importedAt: expect.any(String) }]);

  // No recorder takes again what drivers entered, and no link of an hour opens their files.
  const { system } = server.context.db;
  const inputs = await system
    .selectFrom('duty_input')
    .select('vehicle_id')
    .where('account_id', '=', other.accountId)
    .execute();
  expect(inputs).toEqual([{ vehicle_id: null }, { vehicle_id: null }, { vehicle_id: null }]);
  const files = await system
    .selectFrom('log_export')
    .select('token_hash')
    .where('account_id', '=', other.accountId)
    .execute();
  expect(files).toEqual([{ token_hash: null }]);
});

it('a signature that its phone did not make, or that is out of its place, brings in nothing [N4] [N13]', async () => {
  const text = unsealed((await moved()).text);
  const lines = text.split('\n');
  const rowOf = (table: string, nth: number) => {
    const at = lines.map((line, i) => (line.startsWith(`{"table":"${table}"`) ? i : -1)).filter(i => i >= 0)[nth] ?? -1;
    return { at, row: JSON.parse(lines[at] ?? '').row };
  };
  const changed = (table: string, nth: number, change: object): string => {
    const { at, row } = rowOf(table, nth);
    return lines.with(at, JSON.stringify({ table, row: { ...row, ...change } })).join('\n');
  };
  const without = (table: string, nth: number): string => {
    const { at } = rowOf(table, nth);
    const end = JSON.parse(lines.at(-1) ?? '');
    end.end[table]--;
    return [...lines.toSpliced(at, 1).slice(0, -1), JSON.stringify(end)].join('\n');
  };
  const other = await signedIn(server);
  const signatures = [0, 1, 2].map(nth => rowOf('duty_signature', nth).row);
  const good = signatures.findIndex(({ finding }) => finding === null);
  const middle = signatures.findIndex(({ position }) => position === 6);
  const forged = [
    changed('duty_input', 0, { action: { kind: 'status', status: 'OFF', note: 'Pre-trip' } }),
    changed('duty_input', 0, { id: randomUUID() }),
    changed('duty_signature', good, { signature: Buffer.alloc(64).toString('base64url') }),
    changed('duty_signature', good, { previous: 'f'.repeat(64) }),
    without('duty_signature', middle),
  ];
  for (const [i, file] of forged.entries()) {
    const problem = await refused(server, other, file);
    expect([i, problem]).toMatchObject([i, { code: 'import-broken' }]);
    expect(JSON.stringify(problem)).toContain('duty_signature');
  }
  await imported(server, other, text);
});
