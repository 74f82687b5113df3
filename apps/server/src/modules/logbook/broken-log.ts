import type { Refusal } from '@milepost/eld';
import { AppError } from '../../app-error.ts';

/**
 * The stored entries of a log are not a valid log: other code has written them, or they were changed in the database.
 * Nothing is written to it until that is repaired.
 */
export class BrokenLog extends AppError<'log-broken'> {
  readonly log: string;
  /** The position of the first entry that the others don't allow, and the reason. */
  readonly position: number;
  readonly refusal: Refusal;

  constructor(log: string, fault: { readonly position: number; readonly refusal: Refusal }) {
    super('log-broken');
    this.message = `Log ${log} breaks its own rules at position ${fault.position}: ${fault.refusal}`;
    this.log = log;
    this.position = fault.position;
    this.refusal = fault.refusal;
  }
}
