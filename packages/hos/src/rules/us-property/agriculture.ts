import type { Exemption } from '../../rule-set.ts';

/**
 * Within 150 air miles of the source, part 395 does not apply. What is done there does not count toward the limits that
 * apply beyond (FMCSA, "ELDs, hours of service and agricultural exemptions"; guidance on 395.1, questions 34 and 35).
 */
export const AGRICULTURE: Exemption = { clause: '49 CFR 395.1(k)', counts: false };
