import { type EpochMs, epochMs } from '@milepost/units';
import type { LatLon } from '../fix.ts';
import {
  along,
  begin,
  type Candidate,
  confidenceOf,
  FAR_FIXES,
  FAR_MS,
  type FenceFix,
  isFar,
  type MotionFix,
  marginOf,
  SEGMENT_MS,
  withOne,
} from './candidate.ts';
import { Driving } from './driving.ts';
import type { Box, Fence, FenceIndex } from './fence-index.ts';
import { DWELLS_AFTER_MS, FENCE_STATES, type FenceInput, type FencePhase } from './fence-states.ts';
import {
  type Crossing,
  type FenceEvent,
  type FenceState,
  type FollowerState,
  NOTHING_FOLLOWED,
} from './follower-state.ts';

export type { FenceFix } from './candidate.ts';

/** A stop this soon after driving is where the drive led. */
export const STOP_AFTER_MS = 120_000;
/** A stop whose side isn't clear by then stays on the side where it was. */
const STOP_MS = 30 * 60_000;
const STOP_FIXES = 3;
/** A stop's mean place must be this far past the edge, and by this many standard errors. */
const STOP_DEPTH = 5;
const STOP_ERRORS = 3;

/** Which fences of an index a vehicle is followed through. */
export interface Followed {
  /** All of them if it is left out. */
  readonly follows?: (fenceId: number) => boolean;
  /** Nothing is known of these before the next fix: the vehicle is in them, or not, as that fix says. */
  readonly isFresh?: (fenceId: number) => boolean;
}

/**
 * Follows one vehicle through all geofences, fix by fix. A crossing counts when the fixes leave no doubt: past the edge
 * by the buffer while driving, or on average once it has stopped after driving. What a parked vehicle's receiver makes
 * up moves nothing. docs/geofences.md has the table of states.
 */
export class FenceFollower {
  readonly #fences: FenceIndex;
  readonly #follows: (fenceId: number) => boolean;
  #isFresh: ((fenceId: number) => boolean) | null;
  readonly #driving: Driving;
  #last: MotionFix | null;
  readonly #states: Map<number, FenceState>;

  constructor(
    fences: FenceIndex,
    known: FollowerState = NOTHING_FOLLOWED,
    { follows = () => true, isFresh = () => false }: Followed = {},
  ) {
    this.#fences = fences;
    this.#follows = follows;
    this.#isFresh = isFresh;
    this.#driving = new Driving(known);
    this.#last = known.last;
    this.#states = new Map(
      Object.entries(known.fences).flatMap(([key, state]) => {
        const id = Number(key);
        return fences.get(id) && follows(id) && !isFresh(id) ? [[id, state]] : [];
      }),
    );
  }

  /** The next fix; one that is not newer is left out. Answers what became certain by it. */
  take(fix: FenceFix): FenceEvent[] {
    const last = this.#last;
    if (last !== null && fix.time <= last.time) return [];
    this.#driving.take(fix, last);
    const events: FenceEvent[] = [];
    const seen = new Set<number>();
    for (const id of this.#states.keys()) {
      seen.add(id);
      const fence = this.#fences.get(id);
      if (fence) this.#step(fence, fix, last, events);
    }
    const from = last !== null && fix.time - last.time <= SEGMENT_MS ? last : fix;
    for (const fence of this.#fences.near(from, fix)) {
      if (seen.has(fence.id)) continue;
      seen.add(fence.id);
      if (this.#follows(fence.id)) this.#step(fence, fix, this.#isFresh?.(fence.id) ? null : last, events);
    }
    this.#isFresh = null;
    this.#last = fix;
    return events;
  }

  /** A fix at which no geofence can have changed anything, as `quietWithin` says: it counts for the motion alone. */
  pass(fix: MotionFix): void {
    if (this.#last !== null && fix.time <= this.#last.time) return;
    this.#driving.take(fix, this.#last);
    this.#last = fix;
  }

  /**
   * Meters around a place, which is that of the last fix or on the same side of every edge: as long as the vehicle stays
   * within, no fix changes anything. 0 while it isn't certain on which side it is.
   */
  quietWithin(at: LatLon): number {
    for (const { candidate } of this.#states.values()) if (candidate !== null) return 0;
    return this.#fences.edgeDistance(at, this.#follows);
  }

  /** It is in none of the geofences, and none of them touches a box: no fix in there changes anything. */
  isFarFromAll(box: Box): boolean {
    return this.#states.size === 0 && !this.#fences.touches(box, this.#follows);
  }

  phase(fenceId: number): FencePhase {
    return this.#states.get(fenceId)?.phase ?? 'outside';
  }

  /** The way into the fence that it is in; null if it is outside. */
  entry(fenceId: number): Crossing | null {
    return this.#states.get(fenceId)?.entry ?? null;
  }

  /** Nothing that the next fix decides can have begun before this; null before the first fix. */
  get undecidedSince(): EpochMs | null {
    let since = this.#last?.time ?? null;
    if (since === null) return null;
    for (const { candidate } of this.#states.values()) {
      if (candidate !== null) since = epochMs(Math.min(since, candidate.after));
    }
    return since;
  }

  /** Whether its fixes lead somewhere else: it drives, or is towed. */
  get drives(): boolean {
    return this.#driving.drives;
  }

  state(): FollowerState {
    return { last: this.#last, ...this.#driving.state(), fences: Object.fromEntries(this.#states) };
  }

  #step(fence: Fence, fix: FenceFix, last: MotionFix | null, events: FenceEvent[]): void {
    const state = this.#states.get(fence.id) ?? OUTSIDE;
    const distance = fence.area.signedDistance(fix);
    const next = this.#next(fence, state, distance, fix, last, events);
    if (next.phase === 'outside') this.#states.delete(fence.id);
    else if (next !== state) this.#states.set(fence.id, next);
  }

  #next(
    fence: Fence,
    state: FenceState,
    distance: number,
    fix: FenceFix,
    last: MotionFix | null,
    events: FenceEvent[],
  ): FenceState {
    // The first that is known of the vehicle: it is where it is.
    if (last === null) {
      if (distance >= 0) return OUTSIDE;
      const { time, lat, lon } = fix;
      const entry = { at: time, after: null, before: time, knownAt: time, confidence: 0.5, lat, lon };
      events.push({ fenceId: fence.id, kind: 'enter', entry, exit: null });
      return { phase: 'inside', entry, candidate: null };
    }
    const { entry } = state;
    const past = entry === null ? -distance : distance;
    const candidate = this.#candidate(fence, state.candidate, entry === null, past, fix, last);
    if (candidate === null) {
      if (entry !== null) return stateAfter(state, isLong(entry, fix) ? 'sameLong' : 'same', entry);
      const pass = this.#pass(fence, state.candidate, distance, fix, last);
      if (pass) events.push(pass);
      return stateAfter(state, pass ? 'through' : 'same', null);
    }
    const margin = marginOf(fence, fix, entry === null);
    if (!this.#isCertain(fence, candidate, past, margin, fix)) return stateAfter(state, 'past', entry, candidate);
    const crossing: Crossing = {
      at: candidate.at,
      after: candidate.after,
      before: candidate.first,
      knownAt: fix.time,
      confidence: confidenceOf(candidate, margin),
      lat: candidate.lat,
      lon: candidate.lon,
    };
    events.push(
      entry === null
        ? { fenceId: fence.id, kind: 'enter', entry: crossing, exit: null }
        : { fenceId: fence.id, kind: 'exit', entry, exit: crossing },
    );
    return stateAfter(state, isLong(entry ?? crossing, fix) ? 'certainLong' : 'certain', entry ?? crossing);
  }

  /** The candidate with this fix; null if the vehicle is on its old side. */
  #candidate(
    fence: Fence,
    known: Candidate | null,
    isEntry: boolean,
    past: number,
    fix: FenceFix,
    last: MotionFix,
  ): Candidate | null {
    const { stands } = this.#driving;
    if (known === null) {
      if (past <= 0) return null;
      const begun = begin(fence, isEntry, fix, last);
      return { ...begun, far: isFar(fix, last) ? 1 : 0, deepest: past, stood: stands ? [1, past, 0] : [0, 0, 0] };
    }
    // While it stands, its mean place counts, and single fixes may be on the other side.
    const isStop = stands && this.#cameHere(known);
    if (past <= 0 && !(isStop && fix.time - known.first <= STOP_MS)) return null;
    return {
      ...known,
      fixes: known.fixes + 1,
      far: isFar(fix, known.from) ? known.far + 1 : 0,
      deepest: Math.max(known.deepest, past),
      stood: stands ? withOne(known.stood, past) : [0, 0, 0],
    };
  }

  /** It was driving just before its fixes went past the edge, or since. */
  #cameHere({ first }: Candidate): boolean {
    const { droveAt } = this.#driving;
    return droveAt !== null && first - droveAt <= STOP_AFTER_MS;
  }

  #isCertain({ edge }: Fence, candidate: Candidate, past: number, margin: number, fix: FenceFix): boolean {
    const lasted = fix.time - candidate.first;
    if (this.#driving.drives && past >= margin && candidate.fixes >= edge.minFixes) return true;
    const [count, mean, squares] = candidate.stood;
    if (this.#driving.stands && this.#cameHere(candidate) && lasted >= edge.minDuration && count >= STOP_FIXES) {
      const error = Math.sqrt(squares / (count - 1) / count);
      if (mean > Math.max(STOP_DEPTH, STOP_ERRORS * error)) return true;
    }
    return candidate.far >= FAR_FIXES && lasted >= FAR_MS && past >= margin;
  }

  /** In and out again, with no more than one fix inside; only of a vehicle that drives at both ends. */
  #pass(
    fence: Fence,
    candidate: Candidate | null,
    distance: number,
    fix: FenceFix,
    last: MotionFix,
  ): FenceEvent | null {
    if (!this.#driving.drives || distance <= 0 || fix.time - last.time > SEGMENT_MS) return null;
    const [part] = fence.area.inside(last, fix);
    if (!part) return null;
    const half = Math.min(fence.edge.buffer, fence.area.depth) / 2;
    const middle = along(last, fix, (part[0] + part[1]) / 2);
    const depth = Math.max(candidate?.deepest ?? 0, -fence.area.signedDistance(middle));
    if (depth < half) return null;
    const crossing = (t: number, at: EpochMs): Crossing => {
      const { lat, lon } = along(last, fix, t);
      const confidence = Math.min(1, 0.5 + depth / (4 * half));
      return { at, after: candidate?.after ?? last.time, before: fix.time, knownAt: fix.time, confidence, lat, lon };
    };
    const span = fix.time - last.time;
    return {
      fenceId: fence.id,
      kind: 'pass',
      entry: crossing(part[0], candidate?.at ?? epochMs(Math.round(last.time + part[0] * span))),
      exit: crossing(part[1], epochMs(Math.round(last.time + part[1] * span))),
    };
  }
}

const OUTSIDE: FenceState = { phase: 'outside', entry: null, candidate: null };

const isLong = (entry: Crossing, { time }: FenceFix): boolean => time - entry.at >= DWELLS_AFTER_MS;

/** By the table; `entry` is that of the visit, if there is one. */
function stateAfter(
  state: FenceState,
  input: FenceInput,
  entry: Crossing | null,
  candidate: Candidate | null = null,
): FenceState {
  const { to: phase } = FENCE_STATES[state.phase][input];
  if (phase === 'outside') return OUTSIDE;
  const isSame = phase === state.phase && state.entry === entry && state.candidate === candidate;
  return isSame ? state : { phase, entry, candidate };
}
