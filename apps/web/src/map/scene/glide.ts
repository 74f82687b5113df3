/** Where a marker is drawn. */
export interface Pose {
  readonly lat: number;
  readonly lon: number;
  /** Degrees. */
  readonly turn: number;
}

interface Journey {
  readonly from: Pose;
  readonly to: Pose;
  readonly startMs: number;
  /** How many different poses the way has: more than the eye can tell apart would be drawn for nothing. */
  readonly steps: number;
  /** The last one that was reported. */
  step: number;
}

/** Markers glide for at most this long between two reports. */
export const GLIDE_MS = 1000;
/** A longer way than this in degrees is no journey that anyone watched: the marker jumps. */
const JUMP_DEGREES = 0.05;
/** At most this many markers glide at once; the others jump. Nobody can follow more. */
const GLIDES_AT_ONCE = 250;
/** What makes a difference to the eye. */
const STEP_PX = 0.7;
const STEP_DEGREES = 8;
const MOST_STEPS = 30;

/** Where each marker is drawn on its way from one report to the next. Headings turn the short way. */
export class Glide {
  readonly #journeys = new Map<string, Journey>();

  get isIdle(): boolean {
    return this.#journeys.size === 0;
  }

  /**
   * Moves a marker by a distance in pixels. True: it glides; false: draw it at its goal at once.
   */
  start(id: string, from: Pose, to: Pose, pixels: number, nowMs: number): boolean {
    this.#journeys.delete(id);
    const far = Math.max(Math.abs(from.lat - to.lat), Math.abs(from.lon - to.lon)) > JUMP_DEGREES;
    const turns = Math.abs(shortTurn(from.turn, to.turn)) / STEP_DEGREES;
    const steps = Math.min(MOST_STEPS, Math.floor(Math.max(pixels / STEP_PX, turns)));
    if (steps < 2 || far || this.#journeys.size >= GLIDES_AT_ONCE) return false;
    this.#journeys.set(id, { from, to, startMs: nowMs, steps, step: 0 });
    return true;
  }

  /** Where a gliding marker is drawn; undefined for one that does not glide. */
  poseOf(id: string): Pose | undefined {
    const journey = this.#journeys.get(id);
    return journey && poseAt(journey);
  }

  stop(id: string): void {
    this.#journeys.delete(id);
  }

  /** Markers that moved; one that has arrived is reported once more, at its target. */
  advance(nowMs: number): Map<string, Pose> {
    const poses = new Map<string, Pose>();
    for (const [id, journey] of this.#journeys) {
      const share = Math.max(0, Math.min(1, (nowMs - journey.startMs) / GLIDE_MS));
      const step = Math.floor(share * journey.steps);
      if (step === journey.step) continue;
      journey.step = step;
      poses.set(id, poseAt(journey));
      if (step === journey.steps) this.#journeys.delete(id);
    }
    return poses;
  }
}

function poseAt({ from, to, step, steps }: Journey): Pose {
  if (step === steps) return to;
  const share = step / steps;
  return {
    lat: from.lat + (to.lat - from.lat) * share,
    lon: from.lon + (to.lon - from.lon) * share,
    turn: from.turn + shortTurn(from.turn, to.turn) * share,
  };
}

/** The turn from one heading to another in −180…180. */
export const shortTurn = (from: number, to: number): number => ((((to - from + 180) % 360) + 360) % 360) - 180;
