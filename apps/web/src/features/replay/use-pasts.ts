import {
  type Alert,
  DAY_MAX_DAYS,
  listAlerts,
  listLegs,
  listVisits,
  readVehicleDay,
  VISITS_MAX,
} from '@milepost/contract';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMayReadAlerts } from '../../alerts/use-alerts.ts';
import { call } from '../../base/api.ts';
import type { Measures } from '../../tracks/measures.ts';
import { REPLAYED, readVehicleMeasures, readVehicleTrack } from '../../tracks/read-track.ts';
import type { Range } from './address.ts';
import type { Account } from './happenings.ts';
import type { Past, Segment } from './past.ts';

const DAY_MS = 86_400_000;
/** How often a range that isn't over yet is reloaded. */
const READ_EVERY_MS = 60_000;
/** How often to reload while the server is still counting reports. */
const BEHIND_EVERY_MS = 5000;
/** More per week would be noise; the newest are kept. */
const MOST_ALERTS = 500;

export interface Pasts {
  /** By vehicle; those still loading are missing. */
  readonly pasts: ReadonlyMap<string, Past>;
  /** By vehicle; only on request. */
  readonly measures: ReadonlyMap<string, Measures>;
  readonly accounts: readonly Account[];
  readonly errors: ReadonlyMap<string, unknown>;
  readonly isReading: boolean;
  readonly retry: () => void;
}

/** What these vehicles did. Each vehicle is there as soon as it has loaded, its trips and alerts a moment later. */
export function usePasts(vehicleIds: readonly string[], range: Range, withMeasures: boolean): Pasts {
  const withAlerts = useMayReadAlerts();
  const { fromMs, toMs } = range;
  const refetchInterval = (): number | false => (toMs > Date.now() ? READ_EVERY_MS : false);
  const tracks = useQueries({
    queries: vehicleIds.map(id => ({
      queryKey: ['replay', id, fromMs, toMs],
      queryFn: () => readPast(id, range),
      staleTime: READ_EVERY_MS,
      refetchInterval,
    })),
    combine: together,
  });
  const pasts = useMemo(() => byVehicle(tracks.data), [tracks.data]);
  const measured = useQueries({
    queries: vehicleIds.map(id => ({
      queryKey: ['replay-measures', id, fromMs, toMs],
      queryFn: async (): Promise<readonly [string, Measures]> => [
        id,
        await readVehicleMeasures(id, fromMs, endOf(range)),
      ],
      enabled: withMeasures && pasts.has(id),
      staleTime: READ_EVERY_MS,
      refetchInterval,
    })),
    combine: together,
  });
  const measures = useMemo(() => new Map(measured.data.filter(each => each !== undefined)), [measured.data]);
  const accounts = useQueries({
    queries: vehicleIds.map(id => ({
      queryKey: ['replay-events', id, fromMs, toMs, withAlerts],
      queryFn: () => readAccount(id, range, withAlerts),
      // Load the tracks first: users look at them first.
      enabled: pasts.has(id),
      staleTime: READ_EVERY_MS,
      refetchInterval: ({ state }: { readonly state: { readonly data: Account | undefined } }): number | false =>
        state.data?.isBehind ? BEHIND_EVERY_MS : refetchInterval(),
    })),
    combine: together,
  });
  const known = useMemo(() => accounts.data.filter(account => account !== undefined), [accounts.data]);
  const errors = new Map(
    vehicleIds.flatMap((id, i) => {
      const error: unknown = tracks.errors[i] ?? measured.errors[i] ?? accounts.errors[i];
      return error ? [[id, error] as const] : [];
    }),
  );
  return {
    pasts,
    measures,
    accounts: known,
    errors,
    isReading: tracks.isReading,
    retry: () => [tracks, measured, accounts].forEach(retryAll),
  };
}

interface Together<T> {
  readonly data: readonly (T | undefined)[];
  /** Errors of requests that have never succeeded. */
  readonly errors: readonly unknown[];
  readonly isReading: boolean;
  readonly refetch: readonly (() => unknown)[];
}

/** Stays the same object while nothing in it changes. */
function together<T>(results: readonly UseQueryResult<T>[]): Together<T> {
  return {
    data: results.map(({ data }) => data),
    errors: results.map(({ data, error }) => (data === undefined ? error : null)),
    isReading: results.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle'),
    refetch: results.map(({ refetch }) => refetch),
  };
}

const retryAll = ({ errors, refetch }: Together<unknown>): void => {
  for (const [i, error] of errors.entries()) if (error) refetch[i]?.();
};

const byVehicle = (pasts: readonly (Past | undefined)[]): ReadonlyMap<string, Past> =>
  new Map(pasts.flatMap(past => (past ? [[past.vehicleId, past]] : [])));

/** Cuts the range off at now. For a range in the future, this leaves an empty millisecond. */
const endOf = ({ fromMs, toMs }: Range): number => Math.max(Math.min(toMs, Date.now()), fromMs + 1);

async function readPast(id: string, range: Range): Promise<Past> {
  const { fromMs } = range;
  const toMs = endOf(range);
  const [track, segments] = await Promise.all([
    readVehicleTrack(id, fromMs, toMs, REPLAYED),
    readSegments(id, { fromMs, toMs }),
  ]);
  return { vehicleId: id, track, segments };
}

async function readAccount(id: string, range: Range, withAlerts: boolean): Promise<Account> {
  const query = { from: iso(range.fromMs), to: iso(endOf(range)) };
  const [{ isBehind, legs }, visits, alerts] = await Promise.all([
    call(listLegs, { params: { id }, query }),
    call(listVisits, { query: { deviceId: id, ...query, limit: VISITS_MAX } }).then(answer => answer.visits),
    withAlerts
      ? call(listAlerts, { query: { deviceId: id, ...query, limit: MOST_ALERTS } }).then(answer => answer.alerts)
      : ([] as Alert[]),
  ]);
  return { vehicleId: id, legs, visits, alerts, isBehind };
}

/** In requests of as many days as the server allows. */
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
    // Joins segments that were cut where one answer ends and the next begins.
    if (last?.kind === kind) {
      segments[segments.length - 1] = { ...last, toMs: next.toMs, distanceM: last.distanceM + distanceM };
    } else segments.push(next);
  }
  return segments;
}

const iso = (ms: number): string => new Date(ms).toISOString();
