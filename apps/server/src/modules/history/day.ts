import type { RouteAnswer, readVehicleDay } from '@milepost/contract';
import { daySegments, GAP_MS } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../db/database.ts';
import type { PrivateSpan } from '../../fleet/private-time.ts';
import { fixesAround } from '../../tracks/fixes.ts';
import { toFix } from './fixes.ts';

export type Day = RouteAnswer<typeof readVehicleDay>;

export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the user may see a position of a moment with this driver card. */
  readonly isSeen: (rfid: string | null, atMs: number) => boolean;
}

/** A vehicle's figures for [from, to), by the rules that the live status follows. The future is nobody's gap. */
export async function dayOf(
  trx: AccountTransaction,
  vehicleId: number,
  { fromMs, toMs, isSeen }: Stretch,
  nowMs: number,
): Promise<Day> {
  const endMs = Math.min(toMs, nowMs);
  const rows = endMs > fromMs ? await fixesAround(trx, vehicleId, new Date(fromMs), new Date(endMs)) : [];
  const fixes = rows.filter(({ fix_at, rfid }) => isSeen(rfid, fix_at.getTime())).map(toFix);
  const figures = daySegments(fixes, epochMs(fromMs), epochMs(Math.max(fromMs, endMs)));
  return {
    segments: figures.segments.map(({ kind, from, to, distance }) => ({
      kind,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      distanceM: distance,
    })),
    distanceM: figures.distance,
    movingS: figures.moving,
    idlingS: figures.idling,
    stoppedS: figures.stopped,
    stops: figures.stops,
    maxSpeedMps: figures.maxSpeed,
    fixes: figures.fixes,
    leftOut: figures.leftOut,
  };
}

type Segment = Day['segments'][number];

/**
 * Where private time hides data, a gap is private. What is left of the gap before and after, up to the next report, is
 * private as well if it is no gap by itself.
 */
export function withPrivateTimes(segments: readonly Segment[], spans: readonly PrivateSpan[]): Segment[] {
  return segments.flatMap(segment => {
    if (segment.kind !== 'gap') return [segment];
    const [startMs, endMs] = [Date.parse(segment.from), Date.parse(segment.to)];
    const parts: Segment[] = [];
    const add = (kind: 'gap' | 'private', fromMs: number, toMs: number): void => {
      if (toMs <= fromMs) return;
      const share = (toMs - fromMs) / (endMs - startMs);
      const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
      parts.push({ kind, from, to, distanceM: segment.distanceM * share });
    };
    let atMs = startMs;
    for (const span of spans) {
      const [fromMs, toMs] = [Math.max(span.fromMs, atMs), Math.min(span.toMs, endMs)];
      if (toMs <= fromMs) continue;
      const beginMs = fromMs - atMs < GAP_MS ? atMs : fromMs;
      add('gap', atMs, beginMs);
      const untilMs = endMs - toMs < GAP_MS ? endMs : toMs;
      add('private', beginMs, untilMs);
      atMs = untilMs;
    }
    add('gap', atMs, endMs);
    return parts;
  });
}
