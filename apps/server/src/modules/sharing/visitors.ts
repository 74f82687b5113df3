import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../http/app-error.ts';
import { bearerToken } from '../../http/authorise.ts';
import { addressKey } from '../../http/rate-limit.ts';
import type { OpenLink, SharedLinks } from './shared.ts';

/** A page asks twelve times a minute; an office may look at many. */
const CALLS_A_MINUTE = 600;
/** A token has 256 bits: this keeps guessers from the database, not from a guess. */
const WRONG_TOKENS = { points: 30, duration: 15 * 60 };
/** So many visits from one address count in an hour: tabs, not reload loops. */
const VISITS = { points: 20, duration: 3600 };
const PROGRAMS = /bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|slurp/i;

export interface Visitors {
  /** The link of the call's token, or the one sentence for all that is none. */
  link(request: FastifyRequest): Promise<OpenLink>;
  /** Whether this visit is one of a person, and not one too many. */
  counts(link: OpenLink, request: FastifyRequest): Promise<boolean>;
}

export function createVisitors(desk: SharedLinks): Visitors {
  const calls = new RateLimiterMemory({ points: CALLS_A_MINUTE, duration: 60 });
  const wrong = new RateLimiterMemory(WRONG_TOKENS);
  const visits = new RateLimiterMemory(VISITS);

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

async function take(limiter: RateLimiterMemory, key: string, code: 'too-many-tries' | 'too-many-requests') {
  await limiter.consume(key).catch((refusal: unknown) => {
    throw refusal instanceof RateLimiterRes ? tooMany(code, refusal.msBeforeNext) : refusal;
  });
}
