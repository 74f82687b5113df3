import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { createAccount } from '../accounts/accounts.ts';
import { audit, changesBetween, systemAuthor } from './audit.ts';

let database: TestDatabase;
let accountId: number;
beforeAll(async () => {
  database = await testDatabase();
  accountId = await createAccount({ system: database.databases.system }, { name: 'A' });
});
afterAll(() => database.close());

const entries = () => database.databases.system.selectFrom('audit_entry').select('action').execute();
const write = (account = accountId) =>
  database.databases.asAccount(account, trx => audit(trx, systemAuthor(account), { action: 'settings.changed' }));

describe('the audit log', () => {
  it('is append-only: a request can neither change nor delete entries', async () => {
    await write();
    const { asAccount } = database.databases;
    for (const statement of [sql`update audit_entry set action = 'x'`, sql`delete from audit_entry`]) {
      await expect(asAccount(accountId, trx => statement.execute(trx))).rejects.toThrow('permission denied');
    }
    expect(await entries()).toHaveLength(1);
  });

  it('can’t be changed by the owner of the tables either', async () => {
    const { system } = database.databases;
    for (const statement of [
      sql`update audit_entry set action = 'x'`,
      sql`delete from audit_entry`,
      sql`truncate audit_entry`,
    ]) {
      await expect(statement.execute(system)).rejects.toThrow('The audit log is only added to.');
    }
    expect(await entries()).toEqual([{ action: 'settings.changed' }]);
  });

  it('has no entry for a change that failed', async () => {
    const before = await entries();
    const failing = database.databases.asAccount(accountId, async trx => {
      await audit(trx, systemAuthor(accountId), { action: 'vehicle.deleted' });
      throw new Error('not done');
    });
    await expect(failing).rejects.toThrow('not done');
    expect(await entries()).toEqual(before);
  });

  it('[R6.04] refuses entries for another account', async () => {
    const other = await createAccount({ system: database.databases.system }, { name: 'B' });
    const forging = database.databases.asAccount(accountId, trx =>
      audit(trx, systemAuthor(other), { action: 'settings.changed' }),
    );
    await expect(forging).rejects.toThrow(/row-level security/);
  });

  it('is deleted with its account', async () => {
    const { system } = database.databases;
    const other = await createAccount({ system }, { name: 'C' });
    await write(other);
    await system.deleteFrom('account').where('id', '=', other).execute();
    expect(await system.selectFrom('audit_entry').where('account_id', '=', other).selectAll().execute()).toEqual([]);
  });
});

describe('changes', () => {
  it('are the fields that differ, whatever their values', () => {
    const before = { name: 'A', tags: ['x'], ends: new Date(0), phone: null, same: 1 };
    const after = { name: 'B', tags: ['x', 'y'], ends: null, phone: '+15551234567', same: 1 };
    expect(changesBetween<object>(before, after)).toEqual([
      { field: 'name', from: 'A', to: 'B' },
      { field: 'tags', from: '["x"]', to: '["x","y"]' },
      { field: 'ends', from: '1970-01-01T00:00:00.000Z', to: null },
      { field: 'phone', from: null, to: '+15551234567' },
    ]);
    expect(changesBetween(after, after)).toEqual([]);
  });

  it('are cut if they are long', () => {
    const [change] = changesBetween({ notes: '' }, { notes: 'x'.repeat(5000) });
    expect(change?.to).toBe(`${'x'.repeat(300)}…`);
  });
});
