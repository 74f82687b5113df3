import { auditEntrySchema } from '@milepost/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { type Person, person, signIn } from '../../../testing/people.ts';
import { audit, systemAuthor } from './audit.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

async function read(who: Person, query = '') {
  const { body } = await who.call('GET', `audit${query}`);
  const { entries, next } = body as { entries: unknown[]; next: string | null };
  return { entries: entries.map(entry => auditEntrySchema.parse(entry)), next };
}

const write = (accountId: number, name: string) =>
  server.context.db.asAccount(accountId, trx =>
    audit(trx, systemAuthor(accountId), { action: 'vehicle.created', target: { id: name, name } }),
  );

describe('the audit log', () => {
  it('says who did what to what, how and from where', async () => {
    const owner = await person(server);
    const { token } = (await signIn(server, owner.userName)).body as { token: string };
    await server.call('PATCH', '/api/v1/update_me', { token, body: { displayName: 'Ann' } });
    const { entries } = await read(owner);
    expect(entries.slice(0, 2)).toMatchObject([
      {
        action: 'profile.changed',
        userId: owner.userId,
        userName: owner.userName,
        via: 'session',
        address: '127.0.0.1',
        changes: [{ field: 'displayName', from: owner.userName, to: 'Ann' }],
      },
      { action: 'session.opened', via: 'sign-in', changes: [{ field: 'with', from: null, to: 'password' }] },
    ]);
  });

  it('has refused sign-ins of existing users', async () => {
    const owner = await person(server);
    await signIn(server, owner.userName, { password: 'wrong' });
    await expect
      .poll(async () => (await read(owner, '?action=session.refused')).entries)
      .toMatchObject([{ targetName: owner.userName, changes: [{ to: 'wrong password' }] }]);
  });

  it('is read page by page, the newest first, each entry once', async () => {
    const owner = await person(server);
    for (let i = 0; i < 25; i++) await write(owner.accountId, `v${i}`);
    const names: (string | null)[] = [];
    let next: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(owner, `?limit=10${next ? `&before=${next}` : ''}`);
      names.push(...page.entries.map(entry => entry.targetName));
      next = page.next;
    } while (next !== null);
    expect(names).toEqual(Array.from({ length: 25 }, (_, i) => `v${24 - i}`));
  });

  it('is searched by words, action, person, target and time', async () => {
    const owner = await person(server);
    await write(owner.accountId, 'Truck 100%');
    await write(owner.accountId, 'Van 7');
    await owner.call('PATCH', 'update_me', { displayName: 'Someone new' });
    const names = async (query: string) => (await read(owner, query)).entries.map(({ targetName }) => targetName);
    expect(await names('?q=TRUCK')).toEqual(['Truck 100%']);
    expect(await names('?q=%25')).toEqual(['Truck 100%']);
    expect(await names('?q=someone')).toEqual([owner.userName]);
    expect(await names('?action=vehicle')).toEqual(['Van 7', 'Truck 100%']);
    expect(await names('?action=vehicle.created&targetId=Van%207')).toEqual(['Van 7']);
    expect(await names('?action=veh')).toEqual([]);
    expect(await names(`?userId=${owner.userId}`)).toEqual([owner.userName]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect(await names(`?from=${tomorrow}`)).toEqual([]);
    expect(await names(`?to=${tomorrow}`)).toHaveLength(3);
  });

  it('can’t be read without the right to', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
    for (const path of ['audit', 'audit/export']) {
      expect((await bob.call('GET', path)).body).toMatchObject({ code: 'not-allowed' });
    }
  });
});

describe('as a file', () => {
  it('has every entry, even more than one batch, and records the export', async () => {
    const owner = await person(server);
    await server.context.db.system
      .insertInto('audit_entry')
      .values(
        Array.from({ length: 4500 }, (_, i) => ({
          account_id: owner.accountId,
          action: 'vehicle.created',
          via: 'system' as const,
          target_name: `v${i}`,
          changes: '[]',
        })),
      )
      .execute();
    const { status, headers, text } = await owner.call('GET', 'audit/export?action=vehicle');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log.csv"/);
    const rows = parse(text, { columns: true, bom: true }) as { target: string }[];
    expect(rows.map(({ target }) => target)).toEqual(Array.from({ length: 4500 }, (_, i) => `v${4499 - i}`));
    expect((await read(owner, '?action=audit.exported')).entries).toHaveLength(1);
  });

  it('runs nothing in a spreadsheet', async () => {
    const owner = await person(server);
    for (const displayName of ['=cmd|calc!A1', '+1+1', '-2+3', '@SUM(A1)', '\t=1', 'a "quoted", cell']) {
      await write(owner.accountId, displayName);
    }
    const rows = parse((await owner.call('GET', 'audit/export')).text, { columns: true, bom: true }) as {
      target: string;
    }[];
    for (const { target } of rows) expect(target).not.toMatch(/^[=+\-@\t\r]/);
    expect(rows.map(({ target }) => target)).toEqual(expect.arrayContaining(["'=cmd|calc!A1", 'a "quoted", cell']));
  });
});
