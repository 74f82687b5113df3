import { type Change, type ChangeKind, type Driver, readDriver, readVehicle, type Vehicle } from '@milepost/contract';
import { call } from '../base/api.ts';
import { answered, queryClient, readAnew } from '../base/queries.ts';
import { askTenant } from '../base/tenant/tenant.ts';
import { liveSource } from '../live/live.ts';
import { vehicleListQuery } from '../live/vehicle-list.ts';
import { DRIVERS_KEY } from '../organisation/driver-list.ts';
import { GROUP_KINDS, refreshGroups } from '../organisation/organisation.ts';
import { keepInside } from './keep-inside.ts';
import { keepList } from './keep-list.ts';
import { KEYS_OF } from './query-keys.ts';

/**
 * Refetches run one after the other with a pause, so even many changes cause only a few requests per second. The pause
 * is as long as the refetch: a server that is busy is asked more rarely, and its answers have time to arrive.
 */
const PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 2000;

let waiting = new Map<string, Change>();
let isEverything = false;
let running: Promise<void> | null = null;
let next: Promise<void> | null = null;

/**
 * Refetches everything the page shows of the changed items. Resolves when done. Changes that arrive meanwhile are
 * collected and handled afterwards.
 */
export function applyChanges(changes: readonly Change[] | 'everything'): Promise<void> {
  if (changes === 'everything') isEverything = true;
  else for (const change of changes) waiting.set(`${change.kind} ${change.id}`, change);
  if (!isEverything && waiting.size === 0) return running ?? Promise.resolve();
  if (!running) {
    const began = performance.now();
    const done = apply();
    const pauseMs = (): number => Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, performance.now() - began));
    running = done.then(() => new Promise(resolve => setTimeout(resolve, pauseMs())));
    void running.then(() => {
      running = null;
    });
    return done;
  }
  next ??= running.then(() => {
    next = null;
    return applyChanges([]);
  });
  return next;
}

/** Updates the logbook's board row by row. That page's code sets it when it loads. */
let keepLogs: ((driverIds: ReadonlySet<string | null>) => Promise<void>) | null = null;
export function keepLogsBy(keep: typeof keepLogs): void {
  keepLogs = keep;
}

/** Applies this page's own changes at once, as if the server had announced them. */
export const changedHere = (...things: readonly (readonly [ChangeKind, ...string[]])[]): Promise<void> =>
  applyChanges(things.flatMap(([kind, ...ids]) => ids.map(id => ({ kind, id, gone: false }))));

async function apply(): Promise<void> {
  const changes = [...waiting.values()];
  waiting = new Map();
  if (isEverything || changes.some(({ kind }) => kind === 'rights')) {
    isEverything = false;
    await readEverything();
    return;
  }
  const idsOf = (...kinds: readonly ChangeKind[]) =>
    new Set(changes.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id));
  const vehicleIds = idsOf('vehicle');
  const driverIds = idsOf('driver');
  const keys = new Set(changes.flatMap(({ kind }) => KEYS_OF[kind]));
  await Promise.allSettled([
    ...[...keys].map(key => readAnew([key])),
    readGroups(vehicleIds, driverIds, new Set(changes.map(({ kind }) => kind))),
    keepVehiclesAndDrivers(vehicleIds, driverIds),
    keepInside(new Set([...idsOf('visit'), ...vehicleIds])),
    keepLogs?.(idsOf('logbook')),
    keys.has('tenant') ? askTenant() : null,
  ]);
}

const readEverything = (): Promise<unknown> => {
  liveSource.vehiclesChanged();
  // Invalidating starts no second request for what is being read for the first time.
  const first = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.data === undefined && state.fetchStatus !== 'idle' });
  return Promise.allSettled([
    queryClient.invalidateQueries(),
    ...first.map(async query => {
      await answered(query);
      await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
    ...GROUP_KINDS.map(kind => refreshGroups(kind)),
    askTenant(),
  ]);
};

/** Reads the lists of folders and departments again. An unchanged list is answered with 304. */
async function readGroups(
  vehicles: ReadonlySet<string | null>,
  drivers: ReadonlySet<string | null>,
  kinds: ReadonlySet<ChangeKind>,
): Promise<void> {
  if (kinds.has('folder') || vehicles.size > 0) await refreshGroups('folder');
  if (kinds.has('department') || drivers.size > 0) await refreshGroups('department');
}

/**
 * A vehicle's entry names its driver, and a driver's entry names their vehicle, so a change to one refetches the other.
 */
async function keepVehiclesAndDrivers(
  vehicleIds: ReadonlySet<string | null>,
  driverIds: ReadonlySet<string | null>,
): Promise<void> {
  const listed = <T>(queryKey: readonly unknown[]) => queryClient.getQueryData<readonly T[]>(queryKey) ?? [];
  const vehiclesBefore = listed<Vehicle>(vehicleListQuery.queryKey);
  const drivenBy = vehiclesBefore.filter(
    ({ driver, usualDriverId }) => driverIds.has(driver?.id ?? '') || driverIds.has(usualDriverId ?? ''),
  );
  const vehicles = new Set([...vehicleIds, ...drivenBy.map(({ id }) => id)]);
  if (vehicles.size > 0) {
    const list = await keepList(vehicleListQuery.queryKey, vehicles, id => call(readVehicle, { params: { id } }));
    if (list) liveSource.known(list);
    else liveSource.vehiclesChanged();
  }
  const driving = [...vehiclesBefore, ...listed<Vehicle>(vehicleListQuery.queryKey)].filter(({ id }) =>
    vehicleIds.has(id),
  );
  const driven = listed<Driver>(DRIVERS_KEY).filter(({ vehicle }) => vehicle !== null && vehicleIds.has(vehicle.id));
  const drivers = new Set([
    ...driverIds,
    ...driving.flatMap(({ driver, usualDriverId }) => [driver?.id, usualDriverId].filter(id => id != null)),
    ...driven.map(({ id }) => id),
    ...(vehicleIds.has(null) ? [null] : []),
  ]);
  if (drivers.size > 0) await keepList(DRIVERS_KEY, drivers, id => call(readDriver, { params: { id } }));
}
