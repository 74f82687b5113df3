import { EVALUATIONS_A_MINUTE, evaluateDutyLog } from '@milepost/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../app-error.ts';
import type { Http } from '../../http/server.ts';
import type { Workers } from '../../workers/workers.ts';
import { fieldErrorsOf } from './log-errors.ts';

export function registerLogbook(http: Http, workers: Workers): void {
  const evaluations = new RateLimiterMemory({ points: EVALUATIONS_A_MINUTE, duration: 60 });

  http.handle(evaluateDutyLog, async ({ session, body }) => {
    await evaluations.consume(session.sessionId).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooMany('too-many-requests', refusal.msBeforeNext) : refusal;
    });
    const answer = await workers.run(session.accountId, 'evaluateHours', body);
    if (!answer.ok) throw new AppError('invalid-input', {}, { errors: fieldErrorsOf(answer.errors) });
    return { ...answer.value, violations: [...answer.value.violations] };
  });
}
