import type { EpochMs, Metres, MetresPerSecond, Percent } from '@milepost/units';
import { type DayCount, DayCounter, type DayFigures, type DaySegment, toMillimetres } from './day-counter.ts';
import type { Fix, PlaceInTime } from './fix.ts';
import { type FirstLast, joined, type LegPart, maxOf, placeInTime, span } from './trips.ts';

/** A fix with what else is known of a trip. */
export interface TripFix extends Fix {
  readonly odometer: Metres | null;
  readonly fuel: Percent | null;
  /** The driver's. */
  readonly card: string | null;
}

/** What the reliable fixes of a segment say, besides its motion. */
interface Tally {
  readonly fixes: number;
  readonly maxSpeed: MetresPerSecond | null;
  readonly places: FirstLast<PlaceInTime>;
  readonly odometer: FirstLast<Metres> | null;
  readonly fuel: FirstLast<Percent> | null;
  readonly cards: readonly string[];
}

/** A reliable fix of the day. */
interface Sample extends PlaceInTime {
  readonly speed: MetresPerSecond | null;
  readonly odometer: Metres | null;
  readonly fuel: Percent | null;
  readonly card: string | null;
}

/** What has been counted so far, as plain JSON, so that it can be stored and continued. */
export interface TripCount {
  readonly day: DayCount;
  /** By the time at which the segment begins. */
  readonly tallies: readonly (readonly [number, Tally])[];
  readonly undecided: readonly Sample[];
}

/** Samples held until it is certain which segment they belong to. */
const SAMPLES_KEPT = 64;

/** Divides a day into trips, stops and gaps, fix by fix: what `DayCounter` says, with what the fixes say beside it. */
export class TripCounter {
  readonly #to: EpochMs;
  readonly #day: DayCounter;
  readonly #tallies: Map<number, Tally>;
  #undecided: Sample[];

  constructor(from: EpochMs, to: EpochMs, count?: TripCount) {
    this.#to = to;
    this.#day = new DayCounter(from, to, count && { count: count.day });
    this.#tallies = new Map(count?.tallies);
    this.#undecided = [...(count?.undecided ?? [])];
  }

  /** Adds the next fix, as `DayCounter.add` does. */
  add(fix: TripFix): void {
    if (!this.#day.add(fix)) return;
    const { time, lat, lon, speed, odometer, fuel, card } = fix;
    this.#undecided.push({ time, lat, lon, speed, odometer, fuel, card });
    if (this.#undecided.length >= SAMPLES_KEPT) this.#settle();
  }

  /** The parts and the figures up to a moment later than all fixes of the day so far. */
  figures(until: EpochMs = this.#to): { readonly parts: LegPart[]; readonly day: DayFigures } {
    const day = this.#day.figures(until);
    const tallies = new Map(this.#tallies);
    for (const sample of this.#undecided) addTo(tallies, day.segments, sample);
    return { parts: partsOf(day.segments, tallies), day };
  }

  count(): TripCount {
    this.#settle();
    return { day: this.#day.count(), tallies: [...this.#tallies], undecided: this.#undecided };
  }

  #settle(): void {
    const certain = this.#day.certainBefore;
    const open = this.#undecided.findIndex(({ time }) => time >= certain);
    const settled = open < 0 ? this.#undecided : this.#undecided.slice(0, open);
    if (settled.length === 0) return;
    const { segments } = this.#day.figures(this.#to);
    for (const sample of settled) addTo(this.#tallies, segments, sample);
    this.#undecided = open < 0 ? [] : this.#undecided.slice(open);
  }
}

function addTo(tallies: Map<number, Tally>, segments: readonly DaySegment[], sample: Sample): void {
  let i = segments.length - 1;
  while (i > 0 && (segments[i] as DaySegment).from > sample.time) i--;
  // The last fix before a silence belongs to what came before it.
  if (i > 0 && segments[i]?.kind === 'gap' && segments[i]?.from === sample.time) i--;
  const { from } = segments[i] as DaySegment;
  const known = tallies.get(from);
  const { time, speed, card } = sample;
  const at = placeInTime(sample, time);
  tallies.set(from, {
    fixes: (known?.fixes ?? 0) + 1,
    maxSpeed: maxOf(known?.maxSpeed ?? null, speed),
    places: { first: known?.places.first ?? at, last: at },
    odometer: span(known?.odometer ?? null, twice(sample.odometer)),
    fuel: span(known?.fuel ?? null, twice(sample.fuel)),
    cards: card === null || known?.cards.includes(card) ? (known?.cards ?? []) : [...(known?.cards ?? []), card],
  });
}

const twice = <Value>(value: Value | null): FirstLast<Value> | null =>
  value === null ? null : { first: value, last: value };

function partsOf(segments: readonly DaySegment[], tallies: ReadonlyMap<number, Tally>): LegPart[] {
  const parts: LegPart[] = [];
  for (const segment of segments) {
    const { kind: motion, from, to } = segment;
    const tally = tallies.get(from);
    const before = parts.at(-1);
    const part: LegPart = {
      kind: partKind(motion, before),
      from,
      to,
      millimetres: toMillimetres(segment.distance),
      movingMs: motion === 'moving' ? to - from : 0,
      idlingMs: motion === 'idling' ? to - from : 0,
      stoppedMs: motion === 'stopped' ? to - from : 0,
      maxSpeed: tally?.maxSpeed ?? null,
      fixes: tally?.fixes ?? 0,
      start: tally?.places.first ?? null,
      end: tally?.places.last ?? null,
      odometer: tally?.odometer ?? null,
      fuel: tally?.fuel ?? null,
      cards: tally?.cards ?? [],
    };
    if (before?.kind === part.kind) parts[parts.length - 1] = joined(before, part);
    else parts.push(part);
  }
  return parts.map((part, i) => (part.kind === 'trip' ? withEdges(part, parts[i - 1], parts[i + 1]) : part));
}

function partKind(motion: DaySegment['kind'], before: LegPart | undefined): LegPart['kind'] {
  if (motion === 'moving') return 'trip';
  if (motion !== 'idling') return motion === 'gap' ? 'gap' : 'stop';
  if (before === undefined || before.kind === 'idling') return 'idling';
  return before.kind === 'trip' ? 'trip' : 'stop';
}

/** A trip leaves from where the vehicle stood last, and ends at the fix that showed that it had stopped. */
function withEdges(trip: LegPart, before: LegPart | undefined, next: LegPart | undefined): LegPart {
  const left = before?.kind === 'stop' || before?.kind === 'idling' ? before : undefined;
  const reached = next?.kind === 'stop' && next.start?.time === trip.to ? next : undefined;
  const edge = <Value>(value: Value | null | undefined): FirstLast<Value> | null => twice(value ?? null);
  return {
    ...trip,
    start: left?.end ?? trip.start,
    end: reached?.start ?? trip.end,
    odometer: span(span(edge(left?.odometer?.last), trip.odometer), edge(reached?.odometer?.first)),
    fuel: span(span(edge(left?.fuel?.last), trip.fuel), edge(reached?.fuel?.first)),
  };
}
