import { isIP } from 'node:net';
import type {
  PasskeyCreation,
  PasskeyRequest,
  passkeyAnswerSchema,
  passkeyAnswerToSignInSchema,
} from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Session } from '../../http/session.ts';
import { isOwnOrigin } from '../../http/upgrade.ts';

/** Loaded when someone first uses a passkey: a start takes a twelfth longer with it. */
const webAuthn = () => import('@simplewebauthn/server');

const CHALLENGE_MS = 5 * 60_000;
/** ES256, EdDSA, RS256: every authenticator supports at least one of them (RFC 9053, RFC 8812). */
const ALGORITHMS = [-7, -8, -257];

/** The site for Web Authentication: its origin, and the host that passkeys are created for. */
export interface Site {
  readonly origin: string;
  readonly rpId: string;
}

/**
 * The address of the page, which need not be PUBLIC_URL: a tenant has its own host name. Trusting the header is safe:
 * a passkey is only accepted for the host that it was created for.
 */
export function siteOf(request: Pick<FastifyRequest, 'headers'>, publicUrl: string): Site {
  const origin = new URL(request.headers.origin ?? publicUrl);
  if (!isOwnOrigin(request, publicUrl) || isIP(origin.hostname.replace(/[[\]]/g, '')) !== 0) {
    throw new AppError('passkey-refused');
  }
  return { origin: origin.origin, rpId: origin.hostname };
}

/** Starts creating a passkey that can sign in on its own: discoverable without a user name, with PIN or fingerprint. */
export async function startCreation(
  system: Kysely<Database>,
  { rpId }: Site,
  { userId, userName }: Session,
): Promise<{ challengeId: string; options: PasskeyCreation }> {
  const known = await system
    .selectFrom('passkey')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .where('rp_id', '=', rpId)
    .execute();
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Milepost',
    rpID: rpId,
    userName,
    userID: new TextEncoder().encode(userId),
    userDisplayName: userName,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const challengeId = await keepChallenge(system, options.challenge, rpId, userId);
  return { challengeId, options: options as PasskeyCreation };
}

export async function finishCreation(
  system: Kysely<Database>,
  site: Site,
  session: Session,
  challengeId: string,
  response: z.output<typeof passkeyAnswerSchema>,
) {
  const challenge = await takeChallenge(system, challengeId, session.userId);
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge.challenge,
    expectedOrigin: site.origin,
    expectedRPID: challenge.rp_id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse);
  if (!verified.verified) throw new AppError('passkey-refused');
  const { credential } = verified.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: response.response.transports ?? [],
    rp_id: challenge.rp_id,
  };
}

/** Any passkey for this host can answer: the browser lists them, and no user is named. */
export async function startSignIn(
  system: Kysely<Database>,
  { rpId }: Site,
): Promise<{ challengeId: string; options: PasskeyRequest }> {
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
  const challengeId = await keepChallenge(system, options.challenge, rpId, null);
  return { challengeId, options };
}

/** Returns the user whose passkey has signed the challenge. */
export async function finishSignIn(
  system: Kysely<Database>,
  site: Site,
  challengeId: string,
  response: z.output<typeof passkeyAnswerToSignInSchema>,
): Promise<{ userId: string; passkeyId: string }> {
  const challenge = await takeChallenge(system, challengeId, null);
  const passkey = await system
    .selectFrom('passkey')
    .selectAll()
    .where('credential_id', '=', response.id)
    .where('rp_id', '=', challenge.rp_id)
    .executeTakeFirst();
  if (!passkey) throw new AppError('passkey-refused');
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge.challenge,
    expectedOrigin: site.origin,
    expectedRPID: passkey.rp_id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
  }).catch(refuse);
  if (!verified.verified) throw new AppError('passkey-refused');
  await system
    .updateTable('passkey')
    .set({ counter: verified.authenticationInfo.newCounter, last_used_at: new Date() })
    .where('id', '=', passkey.id)
    .execute();
  return { userId: passkey.user_id, passkeyId: passkey.id };
}

export const passkeysOf = (trx: AccountTransaction, userId: string) =>
  trx
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();

async function keepChallenge(system: Kysely<Database>, challenge: string, rpId: string, userId: string | null) {
  await system.deleteFrom('passkey_challenge').where('expires_at', '<', new Date()).execute();
  const { id } = await system
    .insertInto('passkey_challenge')
    .values({ challenge, rp_id: rpId, user_id: userId, expires_at: new Date(Date.now() + CHALLENGE_MS) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes a challenge, which can be used once and only by the user that it was created for. */
async function takeChallenge(system: Kysely<Database>, id: string, userId: string | null) {
  const row = await system
    .deleteFrom('passkey_challenge')
    .where('id', '=', id)
    .where('user_id', 'is not distinct from', userId)
    .where('expires_at', '>', new Date())
    .returning(['challenge', 'rp_id'])
    .executeTakeFirst();
  if (!row) throw new AppError('passkey-refused');
  return row;
}

/** The library's errors are sentences for developers. */
function refuse(): never {
  throw new AppError('passkey-refused');
}
