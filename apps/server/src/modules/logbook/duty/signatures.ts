import { webcrypto } from 'node:crypto';
import type { DutyAction, EntryProof, SIGNATURE_FINDINGS } from '@milepost/contract';
import { phoneChain, phoneLinkHash } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';

type Finding = (typeof SIGNATURE_FINDINGS)[number];
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

interface Signed {
  readonly id: string;
  readonly action: DutyAction;
  readonly proof: EntryProof;
}

/**
 * Keeps the signature of an entry with what is wrong with it. An entry is taken whatever its signature says: what a
 * driver entered is never dropped, and a finding is for people to judge.
 */
export async function noteSignature(
  trx: AccountTransaction,
  accountId: number,
  driverId: number,
  { action, id, proof }: Signed,
  nowMs: number,
): Promise<void> {
  const { at, phoneId, position, previous, signature } = proof;
  const hash = phoneLinkHash(phoneChain(phoneId), { id, at, action }, position, previous);
  await trx
    .insertInto('duty_signature')
    .values({
      ...{ account_id: accountId, input_id: id, phone_id: phoneId, driver_id: driverId, position: String(position) },
      ...{ previous, hash, signed_at: at, signature, received_at: new Date(nowMs) },
      finding: await findingOf(trx, driverId, proof, hash),
    })
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

async function findingOf(
  trx: AccountTransaction,
  driverId: number,
  { at, phoneId, position, previous, signature }: EntryProof,
  hash: string,
): Promise<Finding | null> {
  const phone = await trx.selectFrom('phone').selectAll().where('id', '=', phoneId).executeTakeFirst();
  if (phone?.driver_id !== driverId) return 'unknown-phone';
  if (!(await isSigned(phone.public_key as webcrypto.JsonWebKey, hash, signature))) return 'bad-signature';
  const last = await trx
    .selectFrom('duty_signature')
    .select(['position', 'hash'])
    .where('phone_id', '=', phoneId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  const before = last ?? { position: phone.after_position, hash: phone.after_hash };
  if (position !== Number(before.position) + 1 || previous !== before.hash) return 'broken-chain';
  return phone.ended_at !== null && Date.parse(at) > phone.ended_at.getTime() ? 'ended-phone' : null;
}

/** Whether a phone has signed a link of its chain. */
export async function isSigned(jwk: webcrypto.JsonWebKey, hash: string, signature: string): Promise<boolean> {
  try {
    const key = await webcrypto.subtle.importKey('jwk', jwk, ALGORITHM, false, ['verify']);
    const bytes = Buffer.from(signature, 'base64url');
    return await webcrypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes, Buffer.from(hash));
  } catch {
    return false;
  }
}
