import type { FastifyRequest } from 'fastify';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../app-error.ts';
import type { Counter, Counters } from '../../db/counters.ts';
import { bearerToken } from '../../http/authorise.ts';
import { addressKey } from '../../limits/rate-limit.ts';
import type { OpenLink, SharedLinks } from './shared.ts';

/** A page makes twelve calls a minute, and one office may have many pages open. */
const CALLS_A_MINUTE = 600;
/** A token of 256 bits can't be guessed: this limit protects the database. */
const WRONG_TOKENS = { points: 30, duration: 15 * 60 };
/** Visits counted from one address in an hour, so that a reload loop does not inflate the count. */
const VISITS = { points: 20, duration: 3600 };
const PROGRAMS = /bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|slurp/i;

export interface Visitors {
  /** The link for the call's token; throws the same problem for every token without one. */
  link(request: FastifyRequest): Promise<OpenLink>;
  /** Whether this visit counts: it comes from a person and is within the limit. */
  counts(link: OpenLink, request: FastifyRequest): Promise<boolean>;
}

export function createVisitors(counters: Counters, desk: SharedLinks): Visitors {
  const calls = counters.often('shared call', { points: CALLS_A_MINUTE, duration: 60 });
  const wrong = counters.counter('shared link', WRONG_TOKENS);
  const visits = counters.counter('shared visit', VISITS);

  return {
    link: async request => {
      const from = addressKey(request.ip);
      await take(calls, from, 'too-many-requests');
      const tried = await wrong.get(from);
      if (tried && tried.consumedPoints >= WRONG_TOKENS.points) throw tooMany('too-many-tries', tried.msBeforeNext);
      const token = bearerToken(request);
      const link = token === null ? null : await desk.find(token);
      if (link) return link;
      await take(wrong, from, 'too-many-tries');
      throw new AppError('share-over');
    },

    counts: async (link, { headers, ip }) => {
      if (PROGRAMS.test(headers['user-agent'] ?? '') || headers['sec-purpose']?.includes('prefetch')) return false;
      const taken = await visits.consume(`${link.id} ${addressKey(ip)}`).catch((refusal: unknown) => refusal);
      return taken instanceof RateLimiterRes && taken.consumedPoints <= VISITS.points;
    },
  };
}

async function take(limiter: Pick<Counter, 'consume'>, key: string, code: 'too-many-tries' | 'too-many-requests') {
  await limiter.consume(key).catch((refusal: unknown) => {
    throw refusal instanceof RateLimiterRes ? tooMany(code, refusal.msBeforeNext) : refusal;
  });
}
