import { REFUSALS, type Refusal } from '@milepost/eld';
import { AppError } from '../../../app-error.ts';

/** The problem of an entry that a log does not take: its sentence, and its code among the errors. */
export function logRefused(refusal: Refusal | 'not-an-entry'): AppError<'log-refused'> {
  const reason = refusal === 'not-an-entry' ? 'It is not complete.' : REFUSALS[refusal];
  return new AppError('log-refused', { reason }, { errors: [{ field: '', code: refusal, message: reason }] });
}
