import { fromHours, fromMinutes, type Milliseconds } from '@milepost/units';
import type { Severity } from './evaluation.ts';

/** FMCSA question 4 on split sleeper (2020): under 15 minutes is nominal; more than 3 hours past is egregious. */
const NOMINAL = fromMinutes(15);
const EGREGIOUS = fromHours(3);

export function severityOf(over: Milliseconds): Severity {
  if (over > EGREGIOUS) return 'egregious';
  return over < NOMINAL ? 'nominal' : 'violation';
}
