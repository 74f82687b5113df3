export { type Cluster, clustersOf } from './clusters.ts';
export { type DayCount, DayCounter, type DayFigures, type DaySegment, type SegmentKind } from './day-counter.ts';
export * from './day-segments.ts';
export { doubtsOf } from './doubts.ts';
export { GAP_MS, isTrackGap, type TimedPlace, type TrackPlaces, trackToDraw } from './drawn-track.ts';
export { type Bounds, compileFence, type FenceArea, type Part } from './fences/area.ts';
export { ellipsoidDistance } from './fences/ellipsoid.ts';
export { DEFAULT_EDGE, type EdgeSettings, type Fence, FenceIndex } from './fences/fence-index.ts';
export * from './fences/follower.ts';
export * from './fences/follower-state.ts';
export * from './fences/shape.ts';
export { shapeProblem } from './fences/shape-problem.ts';
export * from './fix.ts';
export * from './interlock.ts';
export { advanceMotion, MOTIONS, type Motion, type MotionState, SPARSE_MS, UNKNOWN_MOTION } from './motion.ts';
export { type FixThen, type MotionThen, motionThen, STILL_AFTER_MS } from './motion-then.ts';
export { PlaceCells } from './place-cells.ts';
export * from './places.ts';
export {
  isNearRule,
  NearFollower,
  type NearRule,
  type NearState,
  type Tracks,
} from './rules/near-follower.ts';
export { type Box, boxOf, isApart, reachOf, watchNearPast } from './rules/near-past.ts';
export * from './rules/past.ts';
export * from './rules/past-watcher.ts';
export { bearsFrom, STANDS_MS } from './rules/place-in-time.ts';
export * from './rules/rule.ts';
export * from './rules/rule-follower.ts';
export { NO_RULES_FOLLOWED, type RulesState } from './rules/rule-state.ts';
export * from './rules/schedule.ts';
export { type PlanePoint, pointsToKeep } from './simplify.ts';
export * from './speed-shown.ts';
export { bearingDegrees, destination, distanceMetres } from './sphere.ts';
export * from './status.ts';
export * from './streets.ts';
export { type TextList, textsOf } from './text-list.ts';
export { agedBy, DEFAULT_THRESHOLDS, isMovingSpeed, type Thresholds } from './thresholds.ts';
export * from './trip-counter.ts';
export {
  joinParts,
  LEG_KINDS,
  type Leg,
  type LegKind,
  type LegPart,
  meanSpeed,
  odometerDistance,
  splitLeg,
} from './trips.ts';
