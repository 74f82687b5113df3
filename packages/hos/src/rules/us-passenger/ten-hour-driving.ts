import { fromHours } from '@milepost/units';
import type { Limit } from '../../rule-set.ts';

/** 10 hours of driving after 8 hours off. */
export const TEN_HOUR_DRIVING: Limit = { rule: 'US_PAX_10H', clause: '49 CFR 395.5(a)(1)', limit: fromHours(10) };
