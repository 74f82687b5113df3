import { fromHours } from '@milepost/units';
import type { Required } from '../../rule-set.ts';

/** Off duty and sleeper berth in any mix, with nothing in between (395.1(g)(1)(i)(A)–(D)). */
export const TEN_HOUR_REST: Required = { length: fromHours(10), clause: '49 CFR 395.3(a)(1), 395.1(g)(1)(i)' };
