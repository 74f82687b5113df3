import type { EpochMs } from '@milepost/units';
import type { LatLon } from '../fix.ts';
import { isMoving, type MotionFix } from './candidate.ts';
import { ellipsoidDistance } from './ellipsoid.ts';

/** Plain JSON. */
export interface DrivingState {
  /** Moving fixes in a row, until the last one, the place before them, and the meters from fix to fix since then. */
  readonly moving: number;
  readonly startedFrom: LatLon | null;
  readonly way: number;
  /** They have led somewhere else: it drives. */
  readonly drives: boolean;
  /** The last fix at which the vehicle was certainly driving. */
  readonly droveAt: EpochMs | null;
}

export const NOT_DRIVING: DrivingState = { moving: 0, startedFrom: null, way: 0, drives: false, droveAt: null };

/** Single fixes have wild speeds, there and back again when one jumps; driving leads away, and mostly straight. */
const DRIVING = [
  { fixes: 2, distance: 500 },
  { fixes: 3, distance: 50 },
] as const;
const STRAIGHT = 0.5;

/** Whether a vehicle's fixes lead somewhere else: it drives, or is towed. */
export class Driving {
  #moving: number;
  #startedFrom: LatLon | null;
  #way: number;
  #drives: boolean;
  #droveAt: EpochMs | null;

  constructor({ moving, startedFrom, way, drives, droveAt }: DrivingState) {
    this.#moving = moving;
    this.#startedFrom = startedFrom;
    this.#way = way;
    this.#drives = drives;
    this.#droveAt = droveAt;
  }

  take(fix: MotionFix, last: MotionFix | null): void {
    if (!isMoving(fix, last)) {
      this.#moving = 0;
      this.#drives = false;
      return;
    }
    const before = last ?? fix;
    if (this.#moving++ === 0) {
      this.#startedFrom = { lat: before.lat, lon: before.lon };
      this.#way = 0;
    }
    // Once it drives, only a fix that stands changes that.
    if (this.#drives) {
      this.#droveAt = fix.time;
      return;
    }
    this.#way += ellipsoidDistance(before, fix);
    const away = ellipsoidDistance(this.#startedFrom ?? fix, fix);
    this.#drives =
      away >= this.#way * STRAIGHT && DRIVING.some(({ fixes, distance }) => this.#moving >= fixes && away >= distance);
    if (this.#drives) this.#droveAt = fix.time;
  }

  get drives(): boolean {
    return this.#drives;
  }

  /** Its last fix didn't move. */
  get stands(): boolean {
    return this.#moving === 0;
  }

  get droveAt(): EpochMs | null {
    return this.#droveAt;
  }

  state(): DrivingState {
    return {
      moving: this.#moving,
      startedFrom: this.#startedFrom,
      way: this.#way,
      drives: this.#drives,
      droveAt: this.#droveAt,
    };
  }
}
