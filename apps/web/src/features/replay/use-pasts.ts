import { type Alert, DAY_MAX_DAYS, listAlerts, listTrips, readVehicleDay } from '@milepost/contract';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMayReadAlerts } from '../../alerts/use-alerts.ts';
import { call } from '../../base/api.ts';
import { REPLAYED, readVehicleTrack } from '../../tracks/read-track.ts';
import type { Range } from './address.ts';
import type { Past, Segment } from './past.ts';

const DAY_MS = 86_400_000;
/** A range that is not over goes on. */
const READ_EVERY_MS = 60_000;
/** While reports are still being counted. */
const BEHIND_EVERY_MS = 5000;
/** More in a week would be noise; the newest are kept. */
const MOST_ALERTS = 500;

export interface Pasts {
  /** By vehicle; those that are still being read are missing. */
  readonly pasts: ReadonlyMap<string, Past>;
  readonly errors: ReadonlyMap<string, unknown>;
  readonly isReading: boolean;
  readonly retry: () => void;
}

/** What these vehicles did; each is there as soon as it has been read. */
export function usePasts(vehicleIds: readonly string[], range: Range | null): Pasts {
  const withAlerts = useMayReadAlerts();
  const { fromMs = 0, toMs = 0 } = range ?? {};
  const results = useQueries({
    queries: vehicleIds.map(id => ({
      queryKey: ['replay', id, fromMs, toMs, withAlerts],
      queryFn: () => readPast(id, { fromMs, toMs }, withAlerts),
      enabled: range !== null,
      staleTime: READ_EVERY_MS,
      refetchInterval: ({ state }: { readonly state: { readonly data: Past | undefined } }): number | false =>
        state.data?.isBehind ? BEHIND_EVERY_MS : toMs > Date.now() ? READ_EVERY_MS : false,
    })),
  });
  const found = results.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is another at each render, what is in it is not.
  const pasts = useMemo(() => new Map(found.flatMap(past => (past ? [[past.vehicleId, past]] : []))), found);
  const errors = new Map(
    results.flatMap(({ error, data }, i) => (error && !data ? [[vehicleIds[i] as string, error as unknown]] : [])),
  );
  return {
    pasts,
    errors,
    isReading: results.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle'),
    retry: () => {
      for (const { error, refetch } of results) if (error) void refetch();
    },
  };
}

async function readPast(id: string, { fromMs, toMs }: Range, withAlerts: boolean): Promise<Past> {
  // Of the future nothing is known; a range of it is asked for a moment, which nothing is in.
  const endMs = Math.max(Math.min(toMs, Date.now()), fromMs + 1);
  const query = { from: iso(fromMs), to: iso(endMs) };
  const [track, segments, trips, alerts] = await Promise.all([
    readVehicleTrack(id, fromMs, endMs, REPLAYED),
    readSegments(id, { fromMs, toMs: endMs }),
    call(listTrips, { params: { id }, query }),
    withAlerts
      ? call(listAlerts, { query: { deviceId: id, ...query, limit: MOST_ALERTS } }).then(answer => answer.alerts)
      : ([] as Alert[]),
  ]);
  return { vehicleId: id, track, segments, legs: trips.legs, alerts, isBehind: trips.isBehind };
}

/** As many days at a time as the server counts. */
async function readSegments(id: string, { fromMs, toMs }: Range): Promise<Segment[]> {
  const starts: number[] = [];
  for (let at = fromMs; at < toMs; at += DAY_MAX_DAYS * DAY_MS) starts.push(at);
  const days = await Promise.all(
    starts.map(from =>
      call(readVehicleDay, {
        params: { id },
        query: { from: iso(from), to: iso(Math.min(from + DAY_MAX_DAYS * DAY_MS, toMs)) },
      }),
    ),
  );
  const segments: Segment[] = [];
  for (const { kind, from, to, distanceM } of days.flatMap(day => day.segments)) {
    const last = segments.at(-1);
    const next = { kind, fromMs: Date.parse(from), toMs: Date.parse(to), distanceM };
    // Cut where one answer ends and the next begins.
    if (last?.kind === kind) {
      segments[segments.length - 1] = { ...last, toMs: next.toMs, distanceM: last.distanceM + distanceM };
    } else segments.push(next);
  }
  return segments;
}

const iso = (ms: number): string => new Date(ms).toISOString();
