/** Where and how a marker is drawn. */
export interface Pose {
  readonly lat: number;
  readonly lon: number;
  /** Heading in degrees. */
  readonly turn: number;
}

interface Journey {
  readonly from: Pose;
  readonly to: Pose;
  readonly startMs: number;
  /** How many different poses the glide has. More than the eye can tell apart would be wasted work. */
  readonly steps: number;
  /** The last step that `advance` reported. */
  step: number;
}

/** The longest time that a marker glides from one report to the next. */
export const GLIDE_MS = 1000;
/** If a marker has to move farther than this, in degrees, it jumps. */
const JUMP_DEGREES = 0.05;
/** At most this many markers glide at once; the others jump. */
const GLIDES_AT_ONCE = 250;
/** The smallest movement that the eye notices. */
const STEP_PX = 0.7;
const STEP_DEGREES = 8;
const MOST_STEPS = 30;

/** Where each marker is drawn on its way from one report to the next. Headings turn the short way around. */
export class Glide {
  readonly #journeys = new Map<string, Journey>();

  get isIdle(): boolean {
    return this.#journeys.size === 0;
  }

  /** Starts moving a marker by a distance in pixels. Returns false if it doesn't glide; draw it at its goal then. */
  start(id: string, from: Pose, to: Pose, pixels: number, nowMs: number): boolean {
    this.#journeys.delete(id);
    const far = Math.max(Math.abs(from.lat - to.lat), Math.abs(from.lon - to.lon)) > JUMP_DEGREES;
    const turns = Math.abs(shortTurn(from.turn, to.turn)) / STEP_DEGREES;
    const steps = Math.min(MOST_STEPS, Math.floor(Math.max(pixels / STEP_PX, turns)));
    if (steps < 2 || far || this.#journeys.size >= GLIDES_AT_ONCE) return false;
    this.#journeys.set(id, { from, to, startMs: nowMs, steps, step: 0 });
    return true;
  }

  /** Where a gliding marker is drawn; undefined for a marker that isn't gliding. */
  poseOf(id: string): Pose | undefined {
    const journey = this.#journeys.get(id);
    return journey && poseAt(journey);
  }

  stop(id: string): void {
    this.#journeys.delete(id);
  }

  /** Markers that have moved. A marker that arrived is reported one last time, at its goal. */
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

/** The turn from one heading to another, from −180 to 180 degrees. */
export const shortTurn = (from: number, to: number): number => ((((to - from + 180) % 360) + 360) % 360) - 180;
