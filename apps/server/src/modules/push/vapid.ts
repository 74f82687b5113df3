import { createECDH, createPrivateKey, sign } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** By which push services know this installation (RFC 8292). */
export interface PushKey {
  readonly publicKey: Buffer;
  readonly privateKey: Buffer;
}

/** Made at the first start: browsers subscribe with it, so it stays. */
export async function ensurePushKey(system: Kysely<Database>): Promise<PushKey> {
  const made = createECDH('prime256v1');
  made.generateKeys();
  // Of two servers that start at the same time, one makes it.
  await system
    .insertInto('push_key')
    .values({ public_key: made.getPublicKey(), private_key: padded(made.getPrivateKey()) })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const row = await system.selectFrom('push_key').selectAll().executeTakeFirstOrThrow();
  return { publicKey: row.public_key, privateKey: row.private_key };
}

const BYTES = 32;
const padded = (key: Buffer): Buffer => Buffer.concat([Buffer.alloc(BYTES - key.length), key]);

const HALF_A_DAY_S = 12 * 3600;
const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The header `Authorization` of a message to a push service: a token for its origin alone, signed with ES256. */
export function vapidHeader(
  { publicKey, privateKey }: PushKey,
  endpoint: string,
  contact: string,
  nowS: number,
): string {
  const claims = { aud: new URL(endpoint).origin, exp: nowS + HALF_A_DAY_S, sub: contact };
  const text = `${json({ typ: 'JWT', alg: 'ES256' })}.${json(claims)}`;
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256', d: privateKey.toString('base64url') },
      x: publicKey.subarray(1, 1 + BYTES).toString('base64url'),
      y: publicKey.subarray(1 + BYTES).toString('base64url'),
    },
  });
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${text}.${signature}, k=${publicKey.toString('base64url')}`;
}

/** Whom push services may write to: this installation's address, or a mailbox at its host where it has no certificate. */
export function contactOf(publicUrl: string): string {
  const { hostname, protocol } = new URL(publicUrl);
  return protocol === 'https:' ? publicUrl : `mailto:milepost@${hostname}`;
}
