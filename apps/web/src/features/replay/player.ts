import { DEFAULT_SPEED, type Range, SPEEDS, type Speed } from './address.ts';

/** State that changes rarely and is rendered. The time changes with every frame, so it isn't here. */
export interface PlayerState extends Range {
  readonly isPlaying: boolean;
  readonly speed: Speed;
  readonly skipsStops: boolean;
  /** The part that is repeated. */
  readonly loop: Range | null;
}

type Frames = (draw: (nowMs: number) => void) => () => void;

/** A tab that was in the background continues where it was. */
const LONGEST_FRAME_MS = 250;
/** After skipping a stop, start this long before the vehicle drives on. */
const LEAD_MS = 10_000;

const EVERY_FRAME: Frames = draw => {
  let id = requestAnimationFrame(function frame(nowMs) {
    id = requestAnimationFrame(frame);
    draw(nowMs);
  });
  return () => cancelAnimationFrame(id);
};

/**
 * The replay's one clock. It runs in proportion to real time and announces each frame to drawing code, without React.
 */
export class Player {
  readonly #frames: Frames;
  readonly #drawers = new Set<(atMs: number) => void>();
  readonly #listeners = new Set<() => void>();
  #state: PlayerState;
  #atMs: number;
  #quiet: readonly Range[] = [];
  #stop: (() => void) | null = null;
  #lastMs: number | null = null;

  constructor({ fromMs, toMs }: Range, atMs = fromMs, speed: Speed = DEFAULT_SPEED, frames: Frames = EVERY_FRAME) {
    this.#state = { fromMs, toMs, speed, isPlaying: false, skipsStops: false, loop: null };
    this.#atMs = clamp(atMs, this.#state);
    this.#frames = frames;
  }

  get state(): PlayerState {
    return this.#state;
  }

  get atMs(): number {
    return this.#atMs;
  }

  /** Calls `draw` now and whenever the time changes. */
  onTime(draw: (atMs: number) => void): () => void {
    this.#drawers.add(draw);
    draw(this.#atMs);
    return () => void this.#drawers.delete(draw);
  }

  /** For React's `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly getState = (): PlayerState => this.#state;

  play(): void {
    if (this.#state.isPlaying) return;
    const { fromMs, toMs } = this.#bounds();
    if (this.#atMs >= toMs || this.#atMs < fromMs) this.seek(fromMs);
    this.#set({ isPlaying: true });
    this.#lastMs = null;
    this.#stop = this.#frames(nowMs => this.#tick(nowMs));
  }

  pause(): void {
    this.#stop?.();
    this.#stop = null;
    if (this.#state.isPlaying) this.#set({ isPlaying: false });
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause();
    else this.play();
  }

  seek(atMs: number): void {
    this.#move(clamp(atMs, this.#state));
  }

  step(byMs: number): void {
    this.seek(this.#atMs + byMs);
  }

  setSpeed(speed: Speed): void {
    this.#set({ speed });
  }

  /** The next faster or slower speed. */
  changeSpeed(by: 1 | -1): void {
    const next = SPEEDS[SPEEDS.indexOf(this.#state.speed) + by];
    if (next !== undefined) this.setSpeed(next);
  }

  skipStops(skipsStops: boolean): void {
    this.#set({ skipsStops });
  }

  setLoop(loop: Range | null): void {
    this.#set({ loop: loop && loop.toMs > loop.fromMs ? loop : null });
  }

  /** Times when no vehicle drives, in order. */
  setQuiet(quiet: readonly Range[]): void {
    this.#quiet = quiet;
  }

  #bounds(): Range {
    return this.#state.loop ?? this.#state;
  }

  #tick(nowMs: number): void {
    const passedMs = this.#lastMs === null ? 0 : Math.min(LONGEST_FRAME_MS, Math.max(0, nowMs - this.#lastMs));
    this.#lastMs = nowMs;
    if (passedMs === 0) return;
    const { loop, skipsStops, speed } = this.#state;
    let atMs = this.#atMs + passedMs * speed;
    if (skipsStops) {
      const stop = this.#quiet.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs - LEAD_MS);
      if (stop) atMs = stop.toMs - LEAD_MS;
    }
    const { fromMs, toMs } = this.#bounds();
    if (atMs < toMs) this.#move(clamp(atMs, this.#state));
    else if (loop) this.#move(fromMs);
    else {
      this.#move(toMs);
      this.pause();
    }
  }

  #move(atMs: number): void {
    this.#atMs = atMs;
    for (const draw of this.#drawers) draw(atMs);
  }

  #set(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const clamp = (ms: number, { fromMs, toMs }: Range): number => Math.max(fromMs, Math.min(toMs, ms));
