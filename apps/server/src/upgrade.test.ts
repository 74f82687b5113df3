import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startBackedUp } from '../testing/backed-up.ts';
import { INHERITED } from '../testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../testing/scratch.ts';

const scratch = makeScratchFolder();
afterAll(() => removeScratchFolder(scratch));

function upgrade(dataDir: string, ...args: readonly string[]) {
  return new Promise<{ code: number | null; text: string }>(resolve => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'upgrade.ts'), ...args], {
      env: { ...INHERITED, DATA_DIR: dataDir, DEMO: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    }
    child.on('close', code => resolve({ code, text }));
  });
}

it('says what starting this version would do, and whether there is a way back', { tags: 'long' }, async () => {
  expect((await upgrade(scratch)).text).toContain('This only looks');
  expect(await upgrade(join(scratch, 'none'), '--check')).toMatchObject({
    code: 0,
    text: expect.stringContaining('nothing to upgrade'),
  });
  const of = await startBackedUp(scratch, 'data');
  const check = () => upgrade(of.dataDir, '--check');
  try {
    expect(await check()).toMatchObject({ code: 0, text: expect.stringContaining('No migration would run') });
    const forget = (name: string) => of.databases.pool.query('delete from migration where name = $1', [name]);
    await forget('0221_driver_span.sql');
    expect(await check()).toMatchObject({ code: 0, text: expect.stringContaining('They only add to the data') });
    const node = { id: randomUUID(), version: '1.0.0', address: '', bus_away_since: null };
    // For as long as this test takes.
    const seen_at = new Date(Date.now() + 3_600_000);
    await of.databases.system
      .insertInto('node')
      .values({ ...node, seen_at })
      .execute();
    expect((await check()).text).toContain('replace them one after the other');
    await of.databases.pool.query('alter table migration drop column additive');
    expect(await check()).toMatchObject({ code: 1, text: expect.stringContaining('there is no way back') });
    await of.databases.pool.query('alter table migration add column additive boolean not null default false');
    await forget('0220_task_alert.sql');
    const before = await check();
    expect(before).toMatchObject({ code: 1, text: expect.stringContaining('there is no way back') });
    expect(before.text).toContain('Migrations that would run: 0220_task_alert.sql, 0221_driver_span.sql');
    expect(before.text).toContain('stop all of them before this version starts');
    mkdirSync(of.store, { recursive: true });
    await of.agent.runNow('copy');
    expect(await check()).toMatchObject({ code: 0, text: expect.stringContaining('The way back: the backup of') });
    await of.databases.pool.query(
      `insert into migration (name, additive) values ('0220_task_alert.sql', false), ('0221_driver_span.sql', true),
        ('9999_later.sql', true)`,
    );
    expect(await check()).toMatchObject({ code: 0, text: expect.stringContaining('this one can start') });
    await of.databases.pool.query(`update migration set additive = false where name = '9999_later.sql'`);
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringContaining('of a newer Milepost (9999_later.sql)'),
    });
  } finally {
    await of.stop();
  }
});
