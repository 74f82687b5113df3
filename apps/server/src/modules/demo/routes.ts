import { enterDemo } from '@milepost/contract';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { addressKey } from '../../limits/rate-limit.ts';
import { type Sessions, tokenAnswer } from '../accounts/sessions.ts';
import { callerOf } from '../accounts/sign-in.ts';
import { visitorOf } from './visitor.ts';

const VISIT_MS = 2 * 3_600_000;
/** An office behind one address may look; a loop may not fill the table of sessions. */
const VISITS = { points: 30, duration: 3600 };

/** `/demo`: the real product for anyone who comes by. */
export function registerDemo(http: Http, { counters, db, demo }: Context, sessions: Sessions): void {
  const visits = counters.counter('demo visit', VISITS);

  http.handle(enterDemo, async ({ request, query }) => {
    const visitor = demo === 'off' ? null : await visitorOf(db.system, query.as);
    if (!visitor) throw new AppError('no-demo');
    await visits.consume(addressKey(request.ip)).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooMany('too-many-requests', refusal.msBeforeNext) : refusal;
    });
    return tokenAnswer(await sessions.open({ ...visitor, readOnly: true, lifetimeMs: VISIT_MS, ...callerOf(request) }));
  });
}
