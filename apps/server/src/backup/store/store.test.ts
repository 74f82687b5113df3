import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '../../../testing/collect.ts';
import { S3_KEYS, type S3Server, startS3Server } from '../../../testing/s3-server.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../testing/scratch.ts';
import { folderStore } from './folder.ts';
import { s3Store } from './s3.ts';

let s3: S3Server;
const scratch = makeScratchFolder();
beforeAll(async () => {
  s3 = await startS3Server('fleet');
});
afterAll(() => {
  s3.close();
  removeScratchFolder(scratch);
});

const bucket = (changes: object = {}) =>
  s3Store({ endpoint: s3.endpoint, region: 'eu-1', bucket: 'fleet', prefix: 'a/b', ...S3_KEYS, ...changes });

describe.each([
  ['a folder', () => folderStore(scratch)],
  ['a bucket', () => bucket()],
])('%s as a store', (_name, open) => {
  it('returns what was put, lists it by prefix, and forgets what is removed', async () => {
    const store = open();
    const names = ['chunks/aa/1', 'chunks/ab/2', 'chunks/ab/3', 'wal/x/4-5', 'top'];
    for (const name of names) await store.put(name, Buffer.from(name));
    await store.put('top', Buffer.from('replaced'));
    expect((await store.get('top'))?.toString()).toBe('replaced');
    expect(await store.get('chunks/aa/none')).toBeNull();
    const list = async (prefix: string) =>
      (await collect(store.list(prefix))).map(({ name, bytes }) => `${name} ${bytes}`).sort();
    expect(await list('')).toEqual(['chunks/aa/1 11', 'chunks/ab/2 11', 'chunks/ab/3 11', 'top 8', 'wal/x/4-5 9']);
    expect(await list('chunks/ab/')).toEqual(['chunks/ab/2 11', 'chunks/ab/3 11']);
    expect(await list('none/')).toEqual([]);
    for (const name of [...names, 'gone']) await store.remove(name);
    expect(await list('')).toEqual([]);
  });
});

describe('a folder as a store', () => {
  it('does not fill the mount point of a disk that is not there', async () => {
    const gone = join(scratch, 'gone');
    await expect(folderStore(gone).put('a/b', Buffer.from('x'))).rejects.toThrow('Is its disk mounted?');
    await expect(collect(folderStore(gone).list(''))).rejects.toThrow();
    expect(existsSync(gone)).toBe(false);
  });

  it('shows nothing of an object that was cut off, and keeps what it would replace', async () => {
    const folder = join(scratch, 'cut');
    mkdirSync(join(folder, 'a'), { recursive: true });
    const store = folderStore(folder);
    await store.put('a/b', Buffer.from('whole'));
    // As a killed write leaves it.
    writeFileSync(join(folder, 'a', 'b.0a1b2c3d.part'), 'ha');
    expect(await collect(store.list(''))).toEqual([{ name: 'a/b', bytes: 5 }]);
    expect((await store.get('a/b'))?.toString()).toBe('whole');
    rmSync(join(folder, 'a', 'b'));
    mkdirSync(join(folder, 'a', 'b'));
    await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow();
    expect(readdirSync(join(folder, 'a')).sort()).toEqual(['b', 'b.0a1b2c3d.part']);
  });
});

describe('a bucket as a store', () => {
  it('tries again what fails for a moment', async () => {
    s3.failures.push(503, 500);
    await bucket().put('again', Buffer.from('x'));
    expect(s3.objects.get('a/b/again')?.toString()).toBe('x');
  });

  it('says what to correct', async () => {
    await expect(bucket({ secretKey: 'other' }).put('x', Buffer.from('x'))).rejects.toThrow('refuses the access key');
    await expect(bucket({ bucket: 'none' }).put('x', Buffer.from('x'))).rejects.toThrow('there is no such bucket');
    await expect(collect(bucket({ bucket: 'none' }).list(''))).rejects.toThrow('there is no such bucket');
  });
});
