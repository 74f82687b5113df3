import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** A driver had a vehicle; epoch milliseconds, the end is not part of it. */
export interface DriverSpan {
  readonly driverId: number;
  /** −Infinity: it isn't known since when. */
  readonly fromMs: number;
  /** Infinity while it lasts. */
  readonly toMs: number;
}

type Kind = 'signed-in' | 'usual';

/** Who was signed in to a vehicle on the phone, and who its usual driver was: all of it, in memory. */
export interface DriverSpans {
  at(kind: Kind, vehicleId: number, atMs: number): number | null;
  /** Those that overlap a time, in their order. */
  within(kind: Kind, vehicleId: number, fromMs: number, toMs: number): readonly DriverSpan[];
  /** The vehicle that a driver is signed in to now: of several, the last. */
  vehicleOf(driverId: number): number | null;
  /** Resolves when all changes that the feed has announced have been read. */
  settled(): Promise<void>;
}

type Spans = Readonly<Record<Kind, readonly DriverSpan[]>>;
const NONE: Spans = { 'signed-in': [], usual: [] };
const RETRY_MS = 1000;

/** Follows the change feed, vehicle by vehicle. */
export async function openDriverSpans({
  db,
  feed,
  log,
  signals,
}: Pick<Context, 'db' | 'feed' | 'log' | 'signals'>): Promise<DriverSpans> {
  const byVehicle = new Map<number, Spans>();
  const signedIn = new Map<number, { readonly vehicleId: number; readonly fromMs: number }>();

  const put = (vehicleId: number, spans: Spans): void => {
    const before = byVehicle.get(vehicleId)?.['signed-in'].at(-1);
    if (before && signedIn.get(before.driverId)?.vehicleId === vehicleId) signedIn.delete(before.driverId);
    if (spans === NONE) byVehicle.delete(vehicleId);
    else byVehicle.set(vehicleId, spans);
    const last = spans['signed-in'].at(-1);
    if (last?.toMs !== Number.POSITIVE_INFINITY) return;
    if ((signedIn.get(last.driverId)?.fromMs ?? 0) <= last.fromMs) {
      signedIn.set(last.driverId, { vehicleId, fromMs: last.fromMs });
    }
  };
  const read = async (vehicleIds: readonly number[] | null): Promise<void> => {
    const rows = await db.system
      .selectFrom('driver_span')
      .select(['vehicle_id', 'driver_id', 'kind', 'from_at', 'to_at'])
      .$if(vehicleIds !== null, query => query.where(sql<boolean>`vehicle_id = any (${vehicleIds}::int4[])`))
      .orderBy('vehicle_id')
      .orderBy(sql`from_at nulls first`)
      .execute();
    const found = Map.groupBy(rows, row => row.vehicle_id);
    for (const vehicleId of vehicleIds ?? found.keys()) {
      const own = (found.get(vehicleId) ?? []).map(({ kind, driver_id, from_at, to_at }) => ({
        ...{ kind, driverId: driver_id },
        ...{
          fromMs: from_at?.getTime() ?? Number.NEGATIVE_INFINITY,
          toMs: to_at?.getTime() ?? Number.POSITIVE_INFINITY,
        },
      }));
      const of = (wanted: Kind): DriverSpan[] =>
        own.filter(({ kind }) => kind === wanted).map(({ kind: _kind, ...span }) => span);
      put(vehicleId, own.length === 0 ? NONE : { 'signed-in': of('signed-in'), usual: of('usual') });
    }
  };

  const stale = new Map<number, number>();
  let reading: Promise<void> = Promise.resolve();
  const readStale = async (): Promise<void> => {
    const changed = [...stale];
    stale.clear();
    if (changed.length === 0) return;
    try {
      await read(changed.map(([vehicleId]) => vehicleId));
      for (const [vehicleId, accountId] of changed) signals.emit('driver-changed', { accountId, vehicleId });
    } catch (error) {
      for (const [vehicleId, accountId] of changed) stale.set(vehicleId, accountId);
      log.warn({ err: error }, 'Could not read who drove what; retrying');
      setTimeout(start, RETRY_MS).unref();
    }
  };
  const start = (): Promise<void> => {
    reading = reading.then(readStale);
    return reading;
  };
  feed.follow('memory', changes => {
    for (const { accountId, kind, vehicleId } of changes) {
      if (kind === 'vehicle' && vehicleId !== null) stale.set(vehicleId, accountId);
    }
    return stale.size === 0 ? undefined : start();
  });
  await feed.open();
  await read(null);

  const within: DriverSpans['within'] = (kind, vehicleId, fromMs, toMs) => {
    const spans = (byVehicle.get(vehicleId) ?? NONE)[kind];
    // Most questions are about the last ones.
    let first = spans.length;
    while (first > 0 && (spans[first - 1]?.toMs ?? 0) > fromMs) first--;
    return spans.slice(first).filter(span => span.fromMs < toMs || (span.fromMs === fromMs && toMs === fromMs));
  };
  return {
    within,
    at: (kind, vehicleId, atMs) =>
      (byVehicle.get(vehicleId) ?? NONE)[kind].findLast(span => span.fromMs <= atMs && atMs < span.toMs)?.driverId ??
      null,
    vehicleOf: driverId => signedIn.get(driverId)?.vehicleId ?? null,
    settled: () => reading,
  };
}
