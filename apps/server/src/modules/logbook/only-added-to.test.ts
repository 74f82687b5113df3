import { verifyText } from '@milepost/eld';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, openTestLogbook, record, START, type TestLogbook } from '../../../testing/logbook.ts';

let book: TestLogbook;
beforeAll(async () => {
  book = await openTestLogbook();
});
afterAll(() => book.close());
beforeEach(() => book.useNewAccount());

const asAccount = (query: ReturnType<typeof sql>) =>
  book.databases.asAccount(book.accountId, trx => query.execute(trx));

describe('[I5] the database', () => {
  it('gives requests no right to change or delete a record', async () => {
    await book.workday();
    for (const table of ['duty_entry', 'duty_root']) {
      for (const statement of [
        sql`update ${sql.table(table)} set account_id = account_id`,
        sql`delete from ${sql.table(table)}`,
        sql`truncate ${sql.table(table)}`,
        sql`set local milepost.erase_logbook_of = ${sql.lit(String(book.accountId))}; delete from ${sql.table(table)}`,
      ]) {
        await expect(asAccount(statement)).rejects.toThrow(/permission denied/);
      }
    }
  });

  it('does not even let the owner of the tables do so', async () => {
    const { on } = await book.workday();
    await book.written(record('ON', START + DAY), START + DAY);
    const { system } = book.databases;
    for (const statement of [
      sql`update duty_entry set action = 'x' where id = ${on}`,
      sql`update duty_entry set position = position + 10`,
      sql`delete from duty_entry where id = ${on}`,
      sql`delete from duty_root`,
      sql`update duty_root set count = 1`,
      sql`truncate duty_entry`,
      sql`delete from account where id = ${book.accountId}`,
    ]) {
      await expect(statement.execute(system)).rejects.toThrow(/only added to/);
    }
    expect(verifyText(await book.exported())).toMatchObject({ ok: true });
  });

  it('erases the logbook with its account, for whom it was said and no other', async () => {
    await book.workday();
    const other = book.accountId;
    await book.useNewAccount();
    await book.workday();
    const erase = (account: number) =>
      book.databases.system.transaction().execute(async trx => {
        await sql`set local milepost.erase_logbook_of = ${sql.lit(String(book.accountId))}`.execute(trx);
        await sql`delete from account where id = ${account}`.execute(trx);
      });
    await expect(erase(other)).rejects.toThrow(/only added to/);
    await erase(book.accountId);
    const { rows } = await sql<{ of: number }>`select distinct account_id as of from duty_entry`.execute(
      book.databases.system,
    );
    expect(rows.map(({ of }) => of)).not.toContain(book.accountId);
    expect(rows.map(({ of }) => of)).toContain(other);
  });

  it('refuses text with the hash of another', async () => {
    await book.workday();
    const copy = sql`insert into duty_entry
      select account_id, log, position + 1, gen_random_uuid(), action, recorded_at, touches_at, null, null,
        replace(entry, 'T204', 'T205'), content, hash, null
      from duty_entry where account_id = ${book.accountId} order by position desc limit 1`;
    await expect(copy.execute(book.databases.system)).rejects.toThrow(/duty_entry_content_check|check constraint/);
  });

  it.each<[string, (id: string) => ReturnType<typeof sql>, RegExp]>([
    [
      'removed',
      id => sql`delete from duty_entry where id = ${id}`,
      /driver:12, record 3 .*A record before this one is missing/,
    ],
    [
      'changed',
      id => sql`update duty_entry set entry = replace(entry, 'T204', 'T205'),
        content = sha256(convert_to(replace(entry, 'T204', 'T205'), 'UTF8')) where id = ${id}`,
      /driver:12, record 2 .*was changed after it was written/,
    ],
  ])('that someone with all rights has %s a record in is found out by its export', async (_, forge, sentence) => {
    const { drive } = await book.workday();
    const { system } = book.databases;
    await sql`alter table duty_entry disable trigger user`.execute(system);
    await forge(drive).execute(system);
    await sql`alter table duty_entry enable trigger user`.execute(system);
    const verdict = verifyText(await book.exported());
    expect(verdict.ok ? '' : verdict.sentence).toMatch(sentence);
  });
});
