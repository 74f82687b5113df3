export * from './day-segments.ts';
export { doubtsOf } from './doubts.ts';
export * from './fix.ts';
export { advanceMotion, MOTIONS, type Motion, type MotionState, UNKNOWN_MOTION } from './motion.ts';
export * from './places.ts';
export { bearingDegrees, destination, distanceMetres } from './sphere.ts';
export * from './status.ts';
export * from './streets.ts';
export { DEFAULT_THRESHOLDS, type Thresholds } from './thresholds.ts';
