import type { Context } from '../context.ts';
import { believedCard, plainCard } from '../tracks/driver-card.ts';
import type { Directory, DirectoryEntry } from './directory.ts';
import type { DriverSpan, DriverSpans } from './driver-spans.ts';
import type { LatestOfVehicle, LiveStates } from './live.ts';
import type { Roster, RosterDriver } from './roster.ts';

/** A driver who signs in a little after departure drove all of it. */
const LEFT_OUT_MS = 5 * 60_000;

export interface Driving {
  readonly driver: RosterDriver;
  readonly source: 'signed-in' | 'card' | 'usual';
}

/** The fields of a vehicle needed to find its driver. */
export type DrivenVehicle = Pick<DirectoryEntry, 'id' | 'accountId' | 'usualDriverId'>;

/**
 * Who drives what: the one rule. First whoever is signed in to the vehicle on the phone, while they are; then the holder
 * of the card in its newest report, in the vehicle that last reported the card; then the vehicle's usual driver, unless
 * they are signed in to another vehicle or their card is in one.
 */
export interface DrivingNow {
  of(vehicle: DrivenVehicle): Driving | null;
  /** The same of a past moment, by the card that the vehicle reported then, and whoever was its usual driver then. */
  at(vehicle: Pick<DrivenVehicle, 'id' | 'accountId'>, atMs: number, card: string | null): Driving | null;
  /**
   * All who drove in a time: those who were signed in; for what is left of it, the holders of the cards it reported, or
   * its usual drivers.
   */
  during(vehicle: DrivenVehicle, fromMs: number, toMs: number, cards: readonly string[]): readonly Driving[];
  /** The usual drivers of a time. */
  usual(vehicle: DrivenVehicle, fromMs: number, toMs: number): readonly Driving[];
  /** Who was signed in to a vehicle in a time. */
  seats(vehicleId: number, fromMs: number, toMs: number): readonly DriverSpan[];
  /** When within a time who was signed in, or the usual driver, may change: between two of these nobody does. */
  changes(vehicleId: number, fromMs: number, toMs: number): readonly number[];
  /** Who was signed in to a vehicle at a moment. */
  signedInAt(vehicleId: number, atMs: number): number | null;
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
  readonly spans: DriverSpans;
  readonly signals: Context['signals'];
}

export function createDriving({ directory, live, roster, signals, spans }: DrivingParts): DrivingNow {
  /** Account, card → the vehicle that reported it last. */
  const places = new Map<number, Map<string, number>>();
  const placesOf = (accountId: number): Map<string, number> => {
    const known = places.get(accountId) ?? new Map<string, number>();
    places.set(accountId, known);
    return known;
  };
  const cardIn = (vehicleId: number): string | null => {
    const card = believedCard(live.of(vehicleId)?.newest ?? null);
    return card === null ? null : plainCard(card);
  };
  /** The vehicle that has this card; null if the vehicle that last had it no longer reports it. */
  const placeOf = (accountId: number, card: string): number | null => {
    const vehicleId = places.get(accountId)?.get(card);
    return vehicleId !== undefined && cardIn(vehicleId) === card ? vehicleId : null;
  };

  for (const [accountId, latest] of latestOfAll(live)) rememberNewest(placesOf(accountId), latest, live);

  const driverBy = (accountId: number, id: number | null, source: Driving['source']): Driving | null => {
    const driver = id === null ? null : roster.driver(accountId, id);
    return driver && { driver, source };
  };
  const of = ({ id, accountId, usualDriverId }: DrivenVehicle): Driving | null => {
    const signedIn = driverBy(accountId, spans.at('signed-in', id, Date.now()), 'signed-in');
    if (signedIn) return signedIn;
    const card = cardIn(id);
    const holder = card === null ? null : roster.driverOfCard(accountId, card);
    if (holder && placeOf(accountId, card as string) === id) return { driver: holder, source: 'card' };
    const usual = usualDriverId === null ? null : roster.driver(accountId, usualDriverId);
    const isElsewhere =
      usual !== null &&
      (spans.vehicleOf(usual.id) !== null || (usual.card !== null && placeOf(accountId, usual.card) !== null));
    return usual && !isElsewhere ? { driver: usual, source: 'usual' } : null;
  };

  const at: DrivingNow['at'] = ({ accountId, id }, atMs, card) => {
    const signedIn = driverBy(accountId, spans.at('signed-in', id, atMs), 'signed-in');
    if (signedIn) return signedIn;
    const holder = card === null ? null : roster.driverOfCard(accountId, card);
    return holder ? { driver: holder, source: 'card' } : driverBy(accountId, spans.at('usual', id, atMs), 'usual');
  };

  return {
    of,
    at,
    usual: ({ accountId, id }, fromMs, toMs) =>
      spans.within('usual', id, fromMs, toMs).flatMap(({ driverId }) => driverBy(accountId, driverId, 'usual') ?? []),
    seats: (vehicleId, fromMs, toMs) => spans.within('signed-in', vehicleId, fromMs, toMs),
    changes: (vehicleId, fromMs, toMs) => {
      const within = (['signed-in', 'usual'] as const).flatMap(kind => spans.within(kind, vehicleId, fromMs, toMs));
      // A moment on the edge of two may count to both.
      const edges = within.flatMap(span => [span.fromMs, span.fromMs + 1, span.toMs, span.toMs + 1]);
      return [...new Set(edges)].filter(at => at > fromMs && at <= toMs).sort((a, b) => a - b);
    },
    signedInAt: (vehicleId, atMs) => spans.at('signed-in', vehicleId, atMs),
    during: ({ accountId, id }, fromMs, toMs, cards) => {
      const found = new Map<number, Driving>();
      const add = (driving: Driving | null): void => {
        if (driving && !found.has(driving.driver.id)) found.set(driving.driver.id, driving);
      };
      const signedIn = spans.within('signed-in', id, fromMs, toMs);
      const known = signedIn.filter(({ driverId }) => roster.driver(accountId, driverId) !== null);
      for (const { driverId } of known) add(driverBy(accountId, driverId, 'signed-in'));
      const left = known.reduce(
        (ms, span) => ms - (Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)),
        toMs - fromMs,
      );
      if (known.length > 0 && left < LEFT_OUT_MS) return [...found.values()];
      const holders = cards.flatMap(card => roster.driverOfCard(accountId, card) ?? []);
      for (const driver of holders) add({ driver, source: 'card' });
      // Of a time that someone was signed in for in part, the usual driver is no more than a guess.
      if (found.size > 0) return [...found.values()];
      for (const { driverId } of spans.within('usual', id, fromMs, toMs)) add(driverBy(accountId, driverId, 'usual'));
      return [...found.values()];
    },
    vehicleOf: (accountId, driver) => {
      const signedIn = spans.vehicleOf(driver.id);
      if (signedIn !== null && directory.findById(signedIn)?.accountId === accountId) {
        return { id: signedIn, source: 'signed-in' };
      }
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
