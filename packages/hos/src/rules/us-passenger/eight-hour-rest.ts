import { fromHours } from '@milepost/units';
import type { Required } from '../../rule-set.ts';

export const EIGHT_HOUR_REST: Required = { length: fromHours(8), clause: '49 CFR 395.5(a), 395.1(g)(3)' };
