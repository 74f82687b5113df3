import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { breaksOf, isAdditive, remarkOf } from './additive.ts';
import { migrate, readMigrations } from './migrate.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const lastRelease: { lastMigration: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'last-release.json'), 'utf8'),
);

it('every migration since the last release only adds, or says what becomes of the server before', () => {
  const unexplained = readdirSync(FOLDER)
    .filter(name => name > lastRelease.lastMigration)
    .flatMap(name => {
      const sql = readFileSync(join(FOLDER, name), 'utf8');
      return remarkOf(sql) ? [] : breaksOf(sql).map(statement => `${name}: ${statement}`);
    });
  // Add "-- not additive: REASON" if the server before can't work with it; "-- additive: REASON" if it can.
  expect(unexplained).toEqual([]);
});

it.each([
  'drop table trip',
  'alter table trip drop column note',
  'alter table trip drop note',
  'alter table trip rename column note to remark',
  'alter table trip rename to drive',
  'alter table trip alter column note type integer',
  'alter table trip alter column note set not null',
  'alter table trip alter column note drop not null, add check (note is not null)',
  'alter table trip add column note text not null',
  'alter table trip add column a integer not null default 0, add column note text not null',
  'alter table trip add constraint short check (length(note) < 9)',
  'alter table trip drop constraint short',
  'create unique index one_note on trip (note)',
  'DROP INDEX trip_note',
  'delete from trip',
])('finds “%s”', statement => {
  expect(breaksOf(`-- what for\n${statement};`)).toHaveLength(1);
  expect(isAdditive(statement)).toBe(false);
});

it.each([
  'create table note (id integer primary key, text text not null unique, check (id > 0)); create unique index a on note (text); alter table note add constraint b check (id > 1)',
  'alter table trip add column note text',
  "alter table trip add column note text not null default 'drop table trip'",
  'alter table trip add column id2 integer not null generated always as identity',
  'create index trip_note on trip (note)',
  '-- drop table trip\ncreate view notes as select 1',
  'create function f() returns trigger language plpgsql as $$ begin delete from note; end $$',
  'insert into note select 1; update trip set note = null',
])('leaves “%s” alone', statement => {
  expect(breaksOf(statement)).toEqual([]);
});

it('believes the author, who has to give a reason', () => {
  expect(isAdditive('-- additive: nobody reads it\ndrop index a;')).toBe(true);
  expect(isAdditive('-- not additive: an old server would refuse the new kind\ninsert into kind values (1);')).toBe(
    false,
  );
  expect(isAdditive('-- additive:\ndrop index a;')).toBe(false);
});

it('a server starts on the data of a newer one that only added to it, and on no other', async () => {
  const database = await testDatabase();
  const { pool } = database.databases;
  try {
    await pool.query(`insert into migration (name, additive) values ('9998_later.sql', true)`);
    expect(await migrate(pool)).toEqual([]);
    expect(await readMigrations(pool)).toMatchObject({ newer: ['9998_later.sql'], missing: [], notAdditive: [] });
    await pool.query(`insert into migration (name) values ('9999_other.sql')`);
    await expect(migrate(pool)).rejects.toThrow('by a newer Milepost (9999_other.sql)');
    expect(await readMigrations(pool)).toMatchObject({ notAdditive: ['9999_other.sql'] });
  } finally {
    await database.close();
  }
});
