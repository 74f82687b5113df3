import type { Context } from '../context.ts';
import { believedCard, plainCard } from '../tracks/driver-card.ts';
import type { Directory, DirectoryEntry } from './directory.ts';
import type { LatestOfVehicle, LiveStates } from './live.ts';
import type { Roster, RosterDriver } from './roster.ts';

export interface Driving {
  readonly driver: RosterDriver;
  readonly source: 'card' | 'usual';
}

/** The fields of a vehicle needed to find its driver. */
export type DrivenVehicle = Pick<DirectoryEntry, 'id' | 'accountId' | 'usualDriverId'>;

/**
 * Who drives what now. A driver is in the vehicle that last reported their card, as long as its newest report still
 * has that card. A vehicle without a driver's card has its usual driver, unless their card is in another vehicle.
 */
export interface DrivingNow {
  of(vehicle: DrivenVehicle): Driving | null;
  /** The vehicle that a driver is in. */
  vehicleOf(
    accountId: number,
    driver: RosterDriver,
  ): { readonly id: number; readonly source: Driving['source'] } | null;
  /** Takes note of a vehicle's card before and after its newest report. On the hot path. */
  reported(accountId: number, vehicleId: number, before: string | null, after: string | null): void;
}

export interface DrivingParts {
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly roster: Roster;
  readonly signals: Context['signals'];
}

export function createDriving({ directory, live, roster, signals }: DrivingParts): DrivingNow {
  /** Account, card → the vehicle that reported it last. */
  const places = new Map<number, Map<string, number>>();
  const placesOf = (accountId: number): Map<string, number> => {
    const known = places.get(accountId) ?? new Map<string, number>();
    places.set(accountId, known);
    return known;
  };
  const cardIn = (vehicleId: number): string | null => {
    const card = believedCard(live.latestOf(vehicleId).newest);
    return card === null ? null : plainCard(card);
  };
  /** The vehicle that has this card; null if the vehicle that last had it no longer reports it. */
  const placeOf = (accountId: number, card: string): number | null => {
    const vehicleId = places.get(accountId)?.get(card);
    return vehicleId !== undefined && cardIn(vehicleId) === card ? vehicleId : null;
  };

  for (const [accountId, latest] of latestOfAll(live)) rememberNewest(placesOf(accountId), latest, live);

  const of = ({ id, accountId, usualDriverId }: DrivenVehicle): Driving | null => {
    const card = cardIn(id);
    const holder = card === null ? null : roster.driverOfCard(accountId, card);
    if (holder && placeOf(accountId, card as string) === id) return { driver: holder, source: 'card' };
    const usual = usualDriverId === null ? null : roster.driver(accountId, usualDriverId);
    const isElsewhere = usual?.card != null && placeOf(accountId, usual.card) !== null;
    return usual && !isElsewhere ? { driver: usual, source: 'usual' } : null;
  };

  return {
    of,
    vehicleOf: (accountId, driver) => {
      const byCard = driver.card === null ? null : placeOf(accountId, driver.card);
      if (byCard !== null) return { id: byCard, source: 'card' };
      const usual = directory.findByUsualDriver(driver.id);
      if (usual && of(usual)?.driver.id === driver.id) return { id: usual.id, source: 'usual' };
      return null;
    },
    reported: (accountId, vehicleId, before, after) => {
      if (before === after) return;
      if (after !== null) placesOf(accountId).set(plainCard(after), vehicleId);
      signals.emit('driver-changed', { accountId, vehicleId });
    },
  };
}

function* latestOfAll(live: LiveStates): Iterable<[number, LatestOfVehicle]> {
  for (const accountId of live.accounts()) for (const latest of live.latest(accountId)) yield [accountId, latest];
}

function rememberNewest(places: Map<string, number>, { vehicleId, newest }: LatestOfVehicle, live: LiveStates): void {
  const reported = believedCard(newest);
  if (!newest || reported === null) return;
  const card = plainCard(reported);
  const other = places.get(card);
  const known = other === undefined ? null : live.latestOf(other).newest;
  if (!known || known.fixAt <= newest.fixAt) places.set(card, vehicleId);
}
