import { fromHours } from '@milepost/units';
import type { Exceptions, Required } from '../../rule-set.ts';

/** Vehicles used only for oil and gas operations: 24 hours off end a period of 8 days. */
export const OILFIELD_RESTART: Required = { length: fromHours(24), clause: '49 CFR 395.1(d)(1)' };

/** Specially trained drivers of special vehicles: waiting at the well is off duty and outside the 14 hours. */
export const WELL_SITE_WAITING: Exceptions['wellSiteWaiting'] = { clause: '49 CFR 395.1(d)(2)' };
