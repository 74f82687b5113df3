import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { decideDemo } from './installation.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const at = (host: string) => ({ host, port: 8080, publicUrl: 'http://localhost:8080', trustedProxies: [] });
const decideWith = (
  demo: 'auto' | 'on' | 'off' | 'public',
  { host = '127.0.0.1', databaseUrl = null as string | null } = {},
) => decideDemo(database.databases.system, { demo, http: at(host), databaseUrl });
const addAccount = () => database.databases.system.insertInto('account').values({ name: 'Acme' }).execute();

describe('DEMO', () => {
  it('is on by itself where an embedded database is empty, and stays so', async () => {
    expect(await decideWith('auto')).toBe('on');
    await addAccount();
    expect(await decideWith('auto')).toBe('on');
  });

  it('is off by itself on an external database', async () => {
    expect(await decideWith('auto', { databaseUrl: 'postgresql://db/fleet' })).toBe('off');
  });

  it('is off by itself where there are accounts already', async () => {
    await addAccount();
    expect(await decideWith('auto')).toBe('off');
  });

  it('off makes the system someone’s own for good, even while it is empty', async () => {
    expect(await decideWith('off')).toBe('off');
    expect(await decideWith('auto')).toBe('off');
    await expect(decideWith('on')).rejects.toThrow(/a system of your own/);
    await expect(decideWith('public')).rejects.toThrow(/a system of your own/);
  });

  it('off refuses to open a demo, whose password is known', async () => {
    await decideWith('on');
    await expect(decideWith('off')).rejects.toThrow(/holds the demo/);
  });

  it('by itself refuses an address that others can reach, and writes nothing down', async () => {
    await expect(decideWith('auto', { host: '0.0.0.0' })).rejects.toThrow(/DEMO=public/);
    expect(await decideWith('off', { host: '0.0.0.0' })).toBe('off');
  });

  it('public may be reached by others', async () => {
    expect(await decideWith('public', { host: '0.0.0.0' })).toBe('public');
  });
});
