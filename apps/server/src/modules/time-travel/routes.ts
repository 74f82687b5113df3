import { may, type RouteAnswer, readFleetAt } from '@milepost/contract';
import { agedBy, type Thresholds, UNKNOWN_MOTION, vehicleStatus } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { toLiveState } from '../../fleet/vehicle-state.ts';
import type { Http } from '../../http/server.ts';
import { type ReportContext, toPositionReport } from '../../ingest/report.ts';
import { believedCard, plainCard } from '../../tracks/driver-card.ts';
import { mapInTurns } from '../../workers/turns.ts';
import { alertsOpenAt } from '../alerts/open-at.ts';
import { insideAt } from '../geofences/visits/inside-at.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { type StateAt, statesAt } from './states-at.ts';

export interface TimeTravelParts extends Organisation {
  readonly reportContext: ReportContext;
}

type Picture = RouteAnswer<typeof readFleetAt>;

/**
 * The fleet at a moment of the past: what was true by the trackers' clocks. Vehicles, drivers, folders and geofences
 * are those of today, and so is who may see them.
 */
export function registerTimeTravel(http: Http, { db }: Context, parts: TimeTravelParts): void {
  const { reportContext, visibility } = parts;

  http.handle(readFleetAt, async ({ session, query }) => {
    const atMs = Math.min(Date.parse(query.at), Date.now());
    const at = new Date(atMs);
    const { accountId } = session;
    const vehicles = visibility.vehicles(session).toSorted((a, b) => a.id - b.id);
    const held = vehicles.filter(vehicle => visibility.holdsVehicle(session, vehicle));
    const seen = vehicles.map(vehicle => ({
      vehicle,
      isSeen: visibility.holdsVehicle(session, vehicle)
        ? null
        : (rfid: string | null, fixMs: number) => visibility.seesPosition(session, vehicle, rfid, fixMs),
    }));
    const states = await statesAt(work => db.asAccount(accountId, work), seen, atMs);
    const { settings, inside } = await db.asAccount(accountId, async trx => ({
      settings: (await readAccountSettings(trx)).settings,
      inside: await insideAt(
        trx,
        accountId,
        held.map(({ id }) => id),
        at,
      ),
    }));
    const scene = { atMs, thresholds: agedBy(settings), states, parts };
    const cards = cardsIn(vehicles, states, parts);
    return {
      at: at.toISOString(),
      vehicles: await mapInTurns(vehicles, vehicle => vehicleAt(vehicle, scene, cards)),
      alerts: may(session, 'alerts.read')
        ? await alertsOpenAt({ db, reportContext, directory: parts.directory, visibility }, session, at)
        : null,
      inside,
    };
  });
}

interface Scene {
  readonly atMs: number;
  readonly thresholds: Thresholds;
  readonly states: ReadonlyMap<number, StateAt>;
  readonly parts: TimeTravelParts;
}

/** Whose card was in which vehicle: driver → vehicle. */
type Cards = ReadonlyMap<number, number>;

function vehicleAt(vehicle: DirectoryEntry, scene: Scene, cards: Cards): Picture['vehicles'][number] {
  const { atMs, thresholds, states, parts } = scene;
  const { state = null, isSinceAtLeast = false } = states.get(vehicle.id) ?? {};
  const newest = state?.newest ?? null;
  const known = { ...(state?.motion ?? UNKNOWN_MOTION), heardAt: state?.heardAt ?? null };
  return {
    deviceId: String(vehicle.id),
    live: toLiveState(state),
    status: vehicleStatus(known, epochMs(atMs), thresholds).status,
    isSinceAtLeast,
    report: newest && toPositionReport(vehicle, newest, parts.reportContext),
    ageS: known.fixAt === null ? null : Math.round((atMs - known.fixAt) / 1000),
    arrivedLater: newest !== null && newest.receivedAt > atMs,
    driver: driverAt(vehicle, scene, cards),
  };
}

/** The newest report of a card wins, as live. */
function cardsIn(
  vehicles: readonly DirectoryEntry[],
  states: ReadonlyMap<number, StateAt>,
  { roster }: TimeTravelParts,
): Cards {
  const cards = new Map<number, { readonly vehicleId: number; readonly fixAt: number }>();
  for (const { id, accountId } of vehicles) {
    const newest = states.get(id)?.state?.newest;
    const card = believedCard(newest);
    const holder = card === null ? null : roster.driverOfCard(accountId, plainCard(card));
    if (!newest || !holder || (cards.get(holder.id)?.fixAt ?? 0) > newest.fixAt) continue;
    cards.set(holder.id, { vehicleId: id, fixAt: newest.fixAt });
  }
  return new Map([...cards].map(([driverId, { vehicleId }]) => [driverId, vehicleId]));
}

function driverAt(
  vehicle: DirectoryEntry,
  { atMs, states, parts: { driving } }: Scene,
  cards: Cards,
): Picture['vehicles'][number]['driver'] {
  const card = believedCard(states.get(vehicle.id)?.state?.newest);
  const then = driving.at(vehicle, atMs, card === null ? null : plainCard(card));
  if (then === null) return null;
  const { driver, source } = then;
  // Whoever's card was elsewhere did not drive it.
  const isElsewhere =
    source === 'card' ? cards.get(driver.id) !== vehicle.id : source === 'usual' && cards.has(driver.id);
  if (!isElsewhere) return { id: String(driver.id), name: driver.name, source };
  const usual = source === 'card' ? driving.at(vehicle, atMs, null) : null;
  if (usual === null || cards.has(usual.driver.id)) return null;
  return { id: String(usual.driver.id), name: usual.driver.name, source: usual.source };
}
