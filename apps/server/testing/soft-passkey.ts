import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../src/db/schema.ts';

/**
 * A software authenticator: creates passkeys (ES256, without attestation) and signs with them, in the form a browser
 * sends.
 */
export interface SoftPasskey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly rpId: string;
}

/** Web Authentication Level 3 section 6.1: user present, user verified, attested credential data included. */
const PRESENT = 0b0000_0001;
const VERIFIED = 0b0000_0100;
const ATTESTED = 0b0100_0000;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

export function makeSoftPasskey(challenge: string, rpId: string, origin: string, flags = PRESENT | VERIFIED) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(16);
  const id = credentialId.toString('base64url');
  // COSE_Key (RFC 9052 section 7): EC2, ES256, P-256, then x and y.
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(credentialId.length);
  const authenticatorData = Buffer.concat([
    sha256(rpId),
    Buffer.from([flags | ATTESTED, 0, 0, 0, 0]),
    Buffer.alloc(16),
    length,
    credentialId,
    key,
  ]);
  // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}.
  const attestationObject = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
    Buffer.from([0x58, authenticatorData.length]),
    authenticatorData,
  ]);
  const passkey: SoftPasskey = { id, privateKey, rpId };
  const response = {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    },
  };
  return { passkey, response };
}

export function signWithSoftPasskey(
  { id, privateKey, rpId }: SoftPasskey,
  challenge: string,
  origin: string,
  { flags = PRESENT | VERIFIED, counter = 0 } = {},
) {
  const authenticatorData = Buffer.concat([sha256(rpId), Buffer.from([flags, 0, 0, 0, counter])]);
  const data = clientData('webauthn.get', challenge, origin);
  const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey);
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: data.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    },
  };
}

const inFiveMinutes = () => new Date(Date.now() + 300_000);

/** The request body that completes the passkey the server has just asked a user for. */
export async function passkeyOf(system: Kysely<Database>, userId: string, origin: string) {
  const challenge = randomBytes(32).toString('base64url');
  const rpId = new URL(origin).hostname;
  const { id } = await system
    .insertInto('passkey_challenge')
    .values({ challenge, rp_id: rpId, user_id: userId, expires_at: inFiveMinutes() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { challengeId: id, name: 'Phone', response: makeSoftPasskey(challenge, rpId, origin).response };
}

/** The request body that signs a user in with an existing passkey. */
export async function passkeySignInOf(
  system: Kysely<Database>,
  user: { readonly accountId: number; readonly userId: string },
  origin: string,
) {
  const rpId = new URL(origin).hostname;
  const challenge = randomBytes(32).toString('base64url');
  const { passkey, publicKey } = keysOf(rpId);
  await system
    .insertInto('passkey')
    .values({
      account_id: user.accountId,
      user_id: user.userId,
      credential_id: passkey.id,
      public_key: publicKey,
      counter: 0,
      rp_id: rpId,
      name: 'Phone',
      last_used_at: null,
    })
    .execute();
  const { id } = await system
    .insertInto('passkey_challenge')
    .values({ challenge, rp_id: rpId, user_id: null, expires_at: inFiveMinutes() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { challengeId: id, response: signWithSoftPasskey(passkey, challenge, origin) };
}

function keysOf(rpId: string): { passkey: SoftPasskey; publicKey: Buffer } {
  const { passkey, response } = makeSoftPasskey('unused', rpId, `http://${rpId}`);
  const attested = Buffer.from(response.response.attestationObject, 'base64url');
  // The COSE key follows the credential ID: it is the last 77 bytes.
  return { passkey, publicKey: attested.subarray(-77) };
}
