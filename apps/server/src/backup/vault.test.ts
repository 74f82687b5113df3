import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keyText, makeKey, parseKey } from './key.ts';
import { nextSegment } from './segments.ts';
import type { Store } from './store/store.ts';
import { openVault } from './vault.ts';

function memoryStore() {
  const objects = new Map<string, Buffer>();
  const store: Store = {
    place: 'memory',
    put: async (name, bytes) => void objects.set(name, Buffer.from(bytes)),
    get: async name => objects.get(name) ?? null,
    list: async function* (prefix) {
      for (const [name, { length }] of objects) if (name.startsWith(prefix)) yield { name, bytes: length };
    },
    remove: async name => void objects.delete(name),
  };
  return { objects, store };
}

it('reads a key as people type it, and refuses a mistyped one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(55), (bytes, at) => {
      const text = keyText(Buffer.from(bytes));
      expect(text).toMatch(/^([a-z2-9]{7}-){7}[a-z2-9]{7}$/);
      expect(parseKey(` ${text.toUpperCase().replaceAll('-', ' ')}\n`)).toEqual(Buffer.from(bytes));
      const letters = text.replaceAll('-', '');
      const wrong = letters.slice(0, at) + (letters[at] === 'a' ? 'b' : 'a') + letters.slice(at + 1);
      expect(() => parseKey(wrong)).toThrow('mistyped');
    }),
  );
  expect(() => parseKey('short')).toThrow();
  expect(() => parseKey('lO01')).toThrow('which no key has');
});

it('returns what it was given, whatever that is, and stores equal chunks once', async () => {
  const { objects, store } = memoryStore();
  const vault = await openVault(store, makeKey(), { create: true });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async bytes => {
      await vault.put('one', bytes);
      expect(await vault.get('one')).toEqual(Buffer.from(bytes));
      const { id } = await vault.putChunk(bytes);
      expect(await vault.getChunk(id)).toEqual(Buffer.from(bytes));
      expect((await vault.putChunk(bytes)).id).toBe(id);
    }),
    { numRuns: 30 },
  );
  await vault.readChunks();
  const before = objects.size;
  expect((await vault.putChunk(Buffer.from('new'))).written).toBeGreaterThan(0);
  expect((await vault.putChunk(Buffer.from('new'))).written).toBe(0);
  expect(objects.size).toBe(before + 1);
});

it('shows neither content nor repetition to who has the store alone', async () => {
  const { objects, store } = memoryStore();
  const vault = await openVault(store, makeKey(), { create: true });
  const text = 'a driver was here '.repeat(50);
  await vault.put('a', Buffer.from(text));
  await vault.put('b', Buffer.from(text));
  const [a, b] = [objects.get('a'), objects.get('b')];
  expect(a?.includes('driver')).toBe(false);
  expect(a?.subarray(20)).not.toEqual(b?.subarray(20));
});

it('refuses what was altered, cut or put in another place, at any byte', async () => {
  const { objects, store } = memoryStore();
  const vault = await openVault(store, makeKey(), { create: true });
  await vault.put('one', Buffer.from('content '.repeat(10)));
  await vault.put('other', Buffer.from('content '.repeat(9)));
  const whole = objects.get('one') ?? Buffer.alloc(0);
  for (let at = 0; at < whole.length; at++) {
    const altered = Buffer.from(whole);
    altered[at] = (altered[at] ?? 0) ^ 1;
    for (const bytes of [altered, whole.subarray(0, at)]) {
      objects.set('one', bytes);
      await expect(vault.get('one')).rejects.toThrow('is damaged (one): it was cut, altered or swapped');
    }
  }
  objects.set('one', objects.get('other') ?? Buffer.alloc(0));
  await expect(vault.get('one')).rejects.toThrow('is damaged (one)');
  const { id } = await vault.putChunk(Buffer.from('chunk'));
  const { id: another } = await vault.putChunk(Buffer.from('another'));
  objects.delete(`chunks/${id.slice(0, 2)}/${id}`);
  await expect(vault.getChunk(id)).rejects.toThrow('is missing');
  await expect(vault.getChunk(another)).resolves.toEqual(Buffer.from('another'));
});

it('opens with its own key only, and only what is a backup', async () => {
  const { objects, store } = memoryStore();
  const key = makeKey();
  await expect(openVault(store, key)).rejects.toThrow('There is no backup of Milepost in memory');
  await openVault(store, key, { create: true });
  await openVault(store, key);
  await expect(openVault(store, makeKey(), { create: true })).rejects.toThrow('was made with another key');
  objects.set('milepost-backup.json', Buffer.from('{"format":2}'));
  await expect(openVault(store, key)).rejects.toThrow('by a newer Milepost');
  objects.clear();
  objects.set('holiday.jpg', Buffer.from('…'));
  await expect(openVault(store, key, { create: true })).rejects.toThrow('holds other files (holiday.jpg)');
});

it('counts segments of the journal as PostgreSQL does', () => {
  expect(nextSegment('00000001000000000000000E')).toBe('00000001000000000000000F');
  expect(nextSegment('0000000200000009000000FF')).toBe('000000020000000A00000000');
});
