import { isIPv6 } from 'node:net';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../app-error.ts';
import type { Counter, Counters } from '../db/counters.ts';

/** A screen full of live vehicles makes a few calls a second; this limit stops loops and scrapers, not users. */
const SESSION_CALLS_A_MINUTE = 6000;
/** Calls with a missing or wrong token, per address. */
const ANONYMOUS_CALLS_A_MINUTE = 600;

export interface RequestLimits {
  session(sessionId: string): Promise<void>;
  anonymous(address: string): Promise<void>;
}

export function createRequestLimits(counters: Counters): RequestLimits {
  const sessions = counters.often('session', { points: SESSION_CALLS_A_MINUTE, duration: 60 });
  const anonymous = counters.often('anonymous', { points: ANONYMOUS_CALLS_A_MINUTE, duration: 60 });
  return {
    session: id => consume(sessions, id),
    anonymous: address => consume(anonymous, addressKey(address)),
  };
}

async function consume(limiter: Pick<Counter, 'consume'>, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw tooMany('too-many-requests', refusal.msBeforeNext);
    throw refusal;
  }
}

/** The key that counts a caller's address: for IPv6 its /64 network, which is one site (RFC 6177). */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
