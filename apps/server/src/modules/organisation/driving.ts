import type { Context } from '../../context.ts';
import type { LatestOfVehicle, LiveStates } from '../../ingest/live.ts';
import type { ReceivedPosition } from '../../ingest/stored-position.ts';
import type { Directory, DirectoryEntry } from '../vehicles/directory.ts';
import { plainCard, type Roster, type RosterDriver } from './roster.ts';

export interface Driving {
  readonly driver: RosterDriver;
  readonly source: 'card' | 'usual';
}

/** A vehicle as far as it has to be known to say who drives it. */
export type DrivenVehicle = Pick<DirectoryEntry, 'id' | 'accountId' | 'usualDriverId'>;

/**
 * The card of a report, as far as it says who drives: what anybody can write into an address is no card that was held
 * to a reader, and brings no vehicle into anybody's sight.
 */
export const believedCard = (newest: Pick<ReceivedPosition, 'protocol' | 'rfid'> | null | undefined): string | null =>
  newest && newest.protocol !== 'osmand' ? newest.rfid : null;

/**
 * Who drives what now. A card says it: it is where it was reported last, as long as that vehicle's newest report still
 * has it. A vehicle without a driver's card is with its usual driver, unless their card is in another vehicle.
 */
export interface DrivingNow {
  of(vehicle: DrivenVehicle): Driving | null;
  /** The vehicle of a driver. */
  vehicleOf(
    accountId: number,
    driver: RosterDriver,
  ): { readonly id: number; readonly source: Driving['source'] } | null;
  /** Hears of every vehicle whose newest report has changed. On the hot path. */
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
  /** Where this card is; null when the vehicle that had it last has it no longer. */
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
