export { atRest } from './at-rest.ts';
export type { DutyLog, HomeTerminal, Segment } from './duty-log.ts';
export { evaluate } from './evaluate.ts';
export * from './evaluation.ts';
export {
  type Declaration,
  EXCEPTIONS,
  EXEMPTIONS,
  type Exception,
  type ExemptionName,
  isException,
  isExemption,
} from './exception.ts';
export { dateOf, type HomeDays, homeDays } from './home-days.ts';
export {
  type Departure,
  type ForcedRest,
  forcedRests,
  isInTime,
  type Journey,
  type JourneyStop,
  journey,
  lastDeparture,
} from './plan/journey.ts';
export { PLAN_ERROR_CODES, type Plan, type PlanError, type PlanOptions, plan } from './plan/plan.ts';
export { LATE_CODES, type LateReason, type Reach, type ReachAsk, reach, reachAll } from './plan/reach.ts';
export type { Task } from './plan/step.ts';
export {
  LOG_ERROR_CODES,
  type LogError,
  type LogErrorCode,
  type RawDeclaration,
  type RawLog,
  type RawSegment,
} from './raw-log.ts';
export { MAX_SEGMENTS, readDutyLog } from './read-duty-log.ts';
export type { Result } from './result.ts';
export { RULE_IDS, type RuleId } from './rule-id.ts';
export type { RuleSet } from './rule-set.ts';
export { isRuleSetId, RULE_SET_IDS, type RuleSetId } from './rule-set-id.ts';
export { ruleSets, withoutTrust } from './rule-sets.ts';
export { ACTIVITY_OF, type Activity, DUTY_STATUSES, type DutyStatus, isDutyStatus } from './status.ts';
export { Tracker } from './track.ts';
export { answerVector, type Vector, type VectorAnswer, type VectorError, type VectorViolation } from './vector.ts';
export { type Zone, zoneNamed } from './zone.ts';
