import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP Password Storage Cheat Sheet: Argon2id with 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

/** Returns a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await tagOf({ message: password, nonce, ...COST, tagLength: TAG_BYTES });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/**
 * Compares in constant time. Without a hash (unknown user, or a user without a password) it takes as long as with
 * one, so that the time does not reveal who exists.
 */
export async function verifyPassword(phc: string | null, password: string): Promise<boolean> {
  const stored = comparedWith(phc);
  const { parameters, tag } = stored;
  const derived = await tagOf({ message: password, ...parameters, tagLength: tag.length });
  return timingSafeEqual(derived, tag) && stored !== NOBODY;
}

/** The hash itself, or a random one of today's cost if there is none. */
export const comparedWith = (phc: string | null): Stored => (phc === null ? null : parse(phc)) ?? NOBODY;

/** True for a hash with another cost than today's, which should be replaced. */
export function isOutdated(phc: string): boolean {
  const { memory, passes, parallelism } = parse(phc)?.parameters ?? {};
  return memory !== COST.memory || passes !== COST.passes || parallelism !== COST.parallelism;
}

type Cost = Pick<Argon2Parameters, 'nonce' | 'memory' | 'passes' | 'parallelism'>;
interface Stored {
  readonly parameters: Cost;
  readonly tag: Buffer;
}

const NOBODY: Stored = {
  parameters: { nonce: randomBytes(SALT_BYTES), ...COST },
  tag: randomBytes(TAG_BYTES),
};

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,86})$/;

function parse(phc: string): Stored | null {
  const match = PHC.exec(phc);
  if (!match) return null;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  return {
    parameters: {
      nonce: Buffer.from(salt, 'base64'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    },
    tag: Buffer.from(tag, 'base64'),
  };
}

const tagOf = (parameters: Argon2Parameters): Promise<Buffer> => derive('argon2id', parameters);

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
