import type { RouteAnswer, readVehicleDay } from '@milepost/contract';
import { bearingDegrees, GAP_MS, isTrackGap, type TimedPlace, trackToDraw } from '@milepost/geo';
import { degrees } from '@milepost/units';
import type { Track } from '../../tracks/unpack.ts';
import type { Range } from './address.ts';

export type SegmentKind = RouteAnswer<typeof readVehicleDay>['segments'][number]['kind'];

export interface Segment extends Range {
  readonly kind: SegmentKind;
  readonly distanceM: number;
}

/** Where a vehicle was during the replayed time, and what it did. */
export interface Past {
  readonly vehicleId: string;
  readonly track: Track;
  /** Covers the whole range, or up to now, without holes. */
  readonly segments: readonly Segment[];
}

/** A vehicle's position and status at one moment. */
export interface Moment {
  readonly lat: number;
  readonly lon: number;
  /** Null if unknown. */
  readonly course: number | null;
  readonly speed: number | null;
  readonly kind: SegmentKind;
  /** When it had last reported: at or before the moment. */
  readonly heardMs: number;
}

/** Index of the last value at or before a moment; -1 if there is none. */
export function indexAt(timesMs: ArrayLike<number>, atMs: number): number {
  let [low, high] = [0, timesMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] as number) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function segmentAt(segments: readonly Segment[], atMs: number): Segment | null {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle] as Segment).fromMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return segments[low - 1] ?? null;
}

const placeOf = ({ lat, lon, timeMs }: Track, i: number): TimedPlace => ({
  lat: degrees(lat[i] as number),
  lon: degrees(lon[i] as number),
  timeMs: timeMs[i] as number,
});

/**
 * The vehicle's position: between two reports, on the straight line between them. After a long silence it stays where
 * it last reported, because nobody knows whether it drove, nor after its last report. Null before its first.
 */
export function momentAt({ track, segments }: Pick<Past, 'track' | 'segments'>, atMs: number): Moment | null {
  const i = indexAt(track.timeMs, atMs);
  if (i < 0) return null;
  const from = placeOf(track, i);
  const course = track.course[i] as number;
  const speed = track.speed[i] as number;
  const isLast = i === track.timeMs.length - 1;
  const to = isLast ? from : placeOf(track, i + 1);
  const segment = segmentAt(segments, atMs);
  const known = segment?.kind ?? (speed > 0 ? 'moving' : 'stopped');
  const isUnseen = isLast ? atMs - Math.max(from.timeMs, segment?.toMs ?? 0) > GAP_MS : isTrackGap(from, to);
  const kind = known !== 'private' && isUnseen && atMs > from.timeMs ? 'gap' : known;
  const goesOn = !isLast && to.timeMs - from.timeMs <= GAP_MS;
  const share = goesOn ? (atMs - from.timeMs) / (to.timeMs - from.timeMs) : 0;
  // Takes the short way across the 180th meridian.
  const east = ((to.lon - from.lon + 540) % 360) - 180;
  const hasMoved = goesOn && (to.lat !== from.lat || to.lon !== from.lon);
  return {
    lat: from.lat + (to.lat - from.lat) * share,
    lon: from.lon + east * share,
    course: hasMoved ? bearingDegrees(from, to) : Number.isNaN(course) ? null : course,
    speed: kind === 'gap' || kind === 'private' || Number.isNaN(speed) ? null : speed,
    kind,
    heardMs: from.timeMs,
  };
}

export type LonLat = [lon: number, lat: number];

/** A part of a track that changes as a whole when it is past. */
export interface Piece extends Range {
  readonly kind: 'track' | 'gap';
  readonly line: readonly LonLat[];
  /** When the vehicle was at each point of the line. */
  readonly timesMs: readonly number[];
  /** Index of its color among the coloring's classes. */
  readonly colorClass: number;
}

/**
 * Points per piece. The line from the current piece's start to the vehicle is rebuilt with every frame, so pieces are
 * short.
 */
const PIECE_POINTS = 40;
/** The simplified line is never farther than this from the reports that it leaves out. */
const TOLERANCE_M = 2;

/**
 * Splits a track into pieces, in order, each starting where the last one ended. All of a piece has one class, and a
 * line has the class of the point where it starts.
 */
export function piecesOf(track: Track, classOf: (point: number) => number = () => 0): Piece[] {
  const pieces: Piece[] = [];
  let part: TimedPlace[] = [];
  let colorClass = 0;
  const close = (): void => {
    if (part.length > 1) pieces.push(pieceOf('track', part, colorClass));
  };
  for (const i of withClassChanges(trackToDraw(track, TOLERANCE_M), track.timeMs.length, classOf)) {
    const place = placeOf(track, i);
    const last = part.at(-1);
    if (last && isTrackGap(last, place)) {
      close();
      pieces.push(pieceOf('gap', [last, place], colorClass));
      part = [];
    } else if (last && part.length > PIECE_POINTS) {
      close();
      part = [last];
    }
    part.push(place);
    const next = classOf(i);
    if (next !== colorClass) {
      close();
      [part, colorClass] = [[place], next];
    }
  }
  close();
  return pieces;
}

/** The points to draw, plus those between them where the class changes. */
function withClassChanges(drawn: readonly number[], count: number, classOf: (point: number) => number): number[] {
  const all: number[] = [];
  let next = 0;
  let known: number | null = null;
  for (let i = 0; i < count; i++) {
    const own = classOf(i);
    const isDrawn = drawn[next] === i;
    if (isDrawn) next++;
    if (isDrawn || own !== known) all.push(i);
    known = own;
  }
  return all;
}

function pieceOf(kind: Piece['kind'], places: readonly TimedPlace[], colorClass: number): Piece {
  let [before, around] = [places[0]?.lon ?? 0, 0];
  const line = places.map(({ lat, lon }): LonLat => {
    // A line across the 180th meridian continues past it.
    if (lon - before > 180) around -= 360;
    else if (before - lon > 180) around += 360;
    before = lon;
    return [lon + around, lat];
  });
  return {
    kind,
    line,
    colorClass,
    timesMs: places.map(({ timeMs }) => timeMs),
    fromMs: places[0]?.timeMs ?? 0,
    toMs: places.at(-1)?.timeMs ?? 0,
  };
}

/** The current piece's line up to a moment, without the vehicle's own position. */
export function lineUntil({ line, timesMs }: Piece, atMs: number): LonLat[] {
  return line.slice(0, indexAt(timesMs, atMs) + 1);
}

export interface Sums {
  readonly distanceM: number;
  readonly ms: Readonly<Record<SegmentKind, number>>;
}

/** A vehicle's totals up to a moment; a segment under way counts in proportion. */
export function sumsUntil(segments: readonly Segment[], atMs: number): Sums {
  const ms = { moving: 0, idling: 0, stopped: 0, gap: 0, private: 0 };
  let distanceM = 0;
  for (const { kind, fromMs, toMs, distanceM: whole } of segments) {
    if (fromMs >= atMs) break;
    const passed = Math.min(toMs, atMs) - fromMs;
    ms[kind] += passed;
    distanceM += toMs > fromMs ? (whole * passed) / (toMs - fromMs) : 0;
  }
  return { distanceM, ms };
}

/** Times of one minute or longer when none of these vehicles drives. */
export function quietTimes(pasts: readonly Pick<Past, 'segments'>[], { fromMs, toMs }: Range): Range[] {
  const drives = pasts
    .flatMap(({ segments }) => segments.filter(({ kind }) => kind === 'moving'))
    .toSorted((a, b) => a.fromMs - b.fromMs);
  const quiet: Range[] = [];
  let untilMs = fromMs;
  for (const drive of [...drives, { fromMs: toMs, toMs }]) {
    if (drive.fromMs - untilMs >= 60_000) quiet.push({ fromMs: untilMs, toMs: drive.fromMs });
    untilMs = Math.max(untilMs, drive.toMs);
  }
  return quiet;
}

/** Times with the engine on, according to the tracker. */
export function engineTimes({ timeMs, ignition }: Track): Range[] {
  const times: Range[] = [];
  for (let i = 0; i < timeMs.length - 1; i++) {
    const [fromMs, toMs] = [timeMs[i] as number, timeMs[i + 1] as number];
    if (ignition[i] !== 1 || (toMs - fromMs > GAP_MS && ignition[i + 1] !== 1)) continue;
    const last = times.at(-1);
    if (last?.toMs === fromMs) times[times.length - 1] = { fromMs: last.fromMs, toMs };
    else times.push({ fromMs, toMs });
  }
  return times;
}
