import type { Exemption } from '../rule-set.ts';

/**
 * 395.3 and 395.5 do not apply to direct assistance in a declared emergency. Afterward they do, and the hours of the
 * assistance count (guidance on 390.23, question 3).
 */
export const EMERGENCY_RELIEF: Exemption = { clause: '49 CFR 390.23', counts: true };
