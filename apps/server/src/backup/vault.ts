import { randomBytes, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { type BackupKey, derive } from './key.ts';
import type { Store } from './store/store.ts';

/**
 * A store whose objects only its key opens. Each object is compressed (zstd) and then encrypted with AES-256-GCM under
 * a key of its own, derived from the backup's key and a random salt (RFC 5869), so no nonce is ever used twice. The
 * object's name is authenticated with it: an object that was altered, cut, or put under another name is refused.
 *
 * `MPB1`, 16 bytes of salt, ciphertext, 16 bytes of tag. The plain text begins with 0 (as it is) or 1 (zstd).
 */
export interface Vault {
  readonly place: string;
  put(name: string, bytes: Uint8Array): Promise<number>;
  /** Null if there is no such object. Throws `BackupError` if it is damaged. */
  get(name: string): Promise<Buffer | null>;
  list: Store['list'];
  remove: Store['remove'];
  /** Stores a chunk unless it is there already. Its ID follows from key and content; `written` is 0 if it was there. */
  putChunk(bytes: Uint8Array): Promise<{ readonly id: string; readonly written: number }>;
  getChunk(id: string): Promise<Buffer>;
  /** Reads which chunks there are, so that they need not be written again. Without it every chunk is written. */
  readChunks(): Promise<void>;
  /** Forgets which chunks there are: each is then written anew. */
  forgetChunks(): void;
}

const MAGIC = Buffer.from('MPB1');
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Safe because no key is used twice. */
const NONCE = Buffer.alloc(12);
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const { subtle } = webcrypto;

/** Not secret: says that this is a backup of Milepost, and by which key it is opened. */
const DESCRIPTION = 'milepost-backup.json';
const FORMAT = 1;
/** Of a check on the key, in hexadecimal. */
const CHECK_LETTERS = 32;

export const chunkName = (id: string): string => `chunks/${id.slice(0, 2)}/${id}`;

/** Opens a store with its key. With `create`, an empty store becomes a backup. Throws `BackupError`. */
export async function openVault(store: Store, key: BackupKey, { create = false } = {}): Promise<Vault> {
  const check = derive(key, 'check').toString('hex').slice(0, CHECK_LETTERS);
  const text = await store.get(DESCRIPTION);
  if (text) refuseOther(text, check, store.place);
  else if (create) await describe(store, check);
  else throw new BackupError(`There is no backup of Milepost in ${store.place}.`);

  const macKey = await subtle.importKey('raw', derive(key, 'chunk names'), HMAC, false, ['sign']);
  let known: Set<string> | null = null;

  const put: Vault['put'] = async (name, bytes) => {
    const sealed = await seal(key, name, bytes);
    await store.put(name, sealed);
    return sealed.length;
  };
  const get: Vault['get'] = async name => {
    const sealed = await store.get(name);
    return sealed && open(key, name, sealed, store.place);
  };
  const idOf = async (bytes: Uint8Array): Promise<string> =>
    Buffer.from(await subtle.sign('HMAC', macKey, bytes as Uint8Array<ArrayBuffer>)).toString('hex');

  return {
    place: store.place,
    put,
    get,
    list: prefix => store.list(prefix),
    remove: name => store.remove(name),
    putChunk: async bytes => {
      const id = await idOf(bytes);
      if (known?.has(id)) return { id, written: 0 };
      const written = await put(chunkName(id), bytes);
      known?.add(id);
      return { id, written };
    },
    getChunk: async id => {
      const bytes = await get(chunkName(id));
      if (!bytes) throw new BackupError(`A part of the backup in ${store.place} is missing (${chunkName(id)}).`);
      if ((await idOf(bytes)) !== id) throw damaged(chunkName(id), store.place);
      return bytes;
    },
    readChunks: async () => {
      const found = new Set<string>();
      for await (const { name } of store.list('chunks/')) found.add(name.slice(name.lastIndexOf('/') + 1));
      known = found;
    },
    forgetChunks: () => {
      known = null;
    },
  };
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

async function describe(store: Store, check: string): Promise<void> {
  for await (const { name } of store.list('')) {
    throw new BackupError(
      `${store.place} holds other files (${name}). Choose an empty place, or one that holds a backup of Milepost.`,
    );
  }
  await store.put(DESCRIPTION, Buffer.from(`${JSON.stringify({ format: FORMAT, check })}\n`));
}

function refuseOther(text: Buffer, check: string, place: string): void {
  let found: { readonly format?: unknown; readonly check?: unknown };
  try {
    found = JSON.parse(text.toString('utf8'));
  } catch {
    throw damaged(DESCRIPTION, place);
  }
  if (found.format !== FORMAT) {
    throw new BackupError(`The backup in ${place} was made by a newer Milepost. Use that version or a newer one.`);
  }
  if (found.check !== check) {
    throw new BackupError(`The backup in ${place} was made with another key. Enter the key that it was made with.`);
  }
}

async function seal(key: BackupKey, name: string, bytes: Uint8Array): Promise<Buffer> {
  const packed = await compress(bytes, LEVEL);
  const isSmaller = packed.length < bytes.length;
  const plain = Buffer.concat([Buffer.of(isSmaller ? 1 : 0), isSmaller ? packed : bytes]);
  const salt = randomBytes(SALT_BYTES);
  const sealed = await subtle.encrypt(gcm(name), await keyFor(key, salt, 'encrypt'), plain);
  return Buffer.concat([MAGIC, salt, Buffer.from(sealed)]);
}

async function open(key: BackupKey, name: string, sealed: Buffer, place: string): Promise<Buffer> {
  const begins = MAGIC.length + SALT_BYTES;
  if (sealed.length <= begins + TAG_BYTES || !sealed.subarray(0, MAGIC.length).equals(MAGIC))
    throw damaged(name, place);
  const salt = sealed.subarray(MAGIC.length, begins);
  let plain: Buffer;
  try {
    const cipher = sealed.subarray(begins) as Uint8Array<ArrayBuffer>;
    plain = Buffer.from(await subtle.decrypt(gcm(name), await keyFor(key, salt, 'decrypt'), cipher));
  } catch {
    throw damaged(name, place);
  }
  return plain[0] === 1 ? decompress(plain.subarray(1)) : plain.subarray(1);
}

const gcm = (name: string) => ({
  name: 'AES-GCM',
  iv: NONCE,
  additionalData: Buffer.concat([MAGIC, Buffer.from(name)]),
});

const keyFor = (key: BackupKey, salt: Uint8Array, use: 'encrypt' | 'decrypt') =>
  subtle.importKey('raw', derive(key, 'object', salt), 'AES-GCM', false, [use]);

const damaged = (name: string, place: string): BackupError =>
  new BackupError(`A part of the backup in ${place} is damaged (${name}): it was cut, altered or swapped.`);
