import { driveLeg } from '../drive/leg-run.ts';
import { between, randomFrom } from '../drive/random.ts';
import type { Leg, Tour, Tours } from '../drive/tour-file.ts';
import type { Behaviour } from '../tracker/behaviour.ts';
import { stopAfter } from './stop.ts';
import type { Part, Week } from './week.ts';
import { jobOf, type Quirk, type Work } from './work.ts';

/** The properties of one vehicle, the same at every start. */
export interface Character {
  readonly imei: string;
  readonly work: Work;
  /** When its shifts begin. */
  readonly week: Week;
  readonly quirk: Quirk;
  /** Its driver needs a break soon after the demo began (`due-break.ts`). */
  readonly hasDueBreak: boolean;
  /** Its engine is warmed up at its depot when the demo starts, unless it is at work. */
  readonly isSpare: boolean;
  /** The number of a shift whose driver eats late; null for none. */
  readonly longStretch: number | null;
  /** How its tracker responds to commands. */
  readonly behaviour: Behaviour;
  /** Seconds by which its dead zone starts later than another vehicle's, so that they take turns. */
  readonly zoneDelay: number;
  /** The legs of a shift, by its part; each shift uses one of the lists. */
  readonly routes: Readonly<Record<Part, readonly (readonly Leg[])[]>>;
  /** The vehicle is at the end of this leg when a shift begins; a long haul turns around at the end of `farEnd`. */
  readonly home: Leg;
  readonly farEnd: Leg;
  /** Seconds between reports while driving. */
  readonly reportEvery: number;
  /** Seconds between reports in its history of days. A phone, which needs one request for each, keeps fewer. */
  readonly keepsEvery: number;
  /** Liters in the tank, liters burned per kilometer and per idling hour. */
  readonly tank: number;
  readonly burnPerKm: number;
  readonly burnPerIdlingHour: number;
  /** Meters on the odometer when counting began. */
  readonly odometer: number;
  /** Set temperature of the cargo box, °C; null if it is not refrigerated. */
  readonly setPoint: number | null;
  /** The card of the vehicle's driver. */
  readonly card: string | null;
  /** Above this speed the tracker reports overspeed, m/s. */
  readonly speedAlarm: number;
}

export interface VehicleToDrive {
  readonly imei: string;
  readonly name: string;
  /** Its usual driver's card: an iButton, 64 bits as hexadecimal digits. */
  readonly card: string | null;
}

/** Two drivers share a vehicle that drives around the clock: this many hours on the road, then it rests. */
const ANYTIME_HOURS = 21.5;
/** The number of rounds in a whole shift and in half a shift. */
const ROUNDS: Readonly<Record<Exclude<Work, 'haul' | 'anytime'>, readonly [whole: number, half: number]>> = {
  local: [3, 1],
  delivery: [3, 1],
  parcel: [3, 1],
  cooled: [3, 2],
};
const ZONES_APART_S = 1800;
const CITY_ALARM_KMH = 94;
const HAUL_ALARM_KMH = 110;
const SET_POINTS = [-18, 3, -18, 2, -20, 5];
const REEFER = /^R-\d+$/;

/**
 * Gives every vehicle its character by its name and its position in the fleet; `behaviour`, if given, applies to all.
 */
export function characters(
  fleet: readonly VehicleToDrive[],
  { cityRounds, longHauls }: Tours,
  behaviour: Behaviour | null = null,
): Character[] {
  const cooled = fleet.filter(vehicle => REEFER.test(vehicle.name));
  const jobs = fleet.map(({ name }, index) => jobOf(name, index));
  const hauling = jobs.filter(({ work }) => work === 'haul');
  const inZones = jobs.filter(({ quirk }) => quirk === 'dead-zone');

  return fleet.map((vehicle, index) => {
    const random = randomFrom('character', vehicle.imei);
    const job = jobs[index] ?? jobOf(vehicle.name, index);
    const { work, week, quirk = 'none' } = job;
    const reefer = cooled.indexOf(vehicle);
    const isVan = work === 'parcel';
    const isHaul = work === 'haul';
    const own = Array.from({ length: 3 }, (_, nth) => cityRounds[(index * 3 + nth) % cityRounds.length] ?? []);
    const haul = longHauls[hauling.indexOf(job) % longHauls.length] ?? [];
    const tours = isHaul ? [haul] : own;
    return {
      imei: vehicle.imei,
      work,
      week,
      quirk,
      hasDueBreak: job.hasDueBreak === true,
      isSpare: job.isSpare === true,
      longStretch: null,
      behaviour: behaviour ?? job.behaviour ?? 'answering',
      zoneDelay: Math.max(0, inZones.indexOf(job)) * ZONES_APART_S,
      routes: routesOf(vehicle.imei, work, tours),
      home: lastOf(tours.at(-1)),
      farEnd: lastOf(haul.slice(0, haul.length / 2)),
      reportEvery: [5, 6, 8, 10][Math.floor(random() * 4)] ?? 10,
      keepsEvery: isVan ? 120 : 60,
      tank: isVan ? 95 : reefer >= 0 ? 230 : isHaul ? 760 : 380,
      burnPerKm: isVan ? 0.13 : between(random, 0.26, 0.34),
      burnPerIdlingHour: isVan ? 1.2 : 3,
      odometer: Math.round(between(random, 40_000_000, 400_000_000)),
      setPoint: reefer >= 0 ? (SET_POINTS[reefer % SET_POINTS.length] ?? 3) : null,
      card: vehicle.card,
      speedAlarm: (isHaul ? HAUL_ALARM_KMH : CITY_ALARM_KMH) / 3.6,
    };
  });
}

const NOWHERE: Leg = { points: [[0, 0]], limits: [], crossings: new Set() };
const lastOf = (tour: Tour = []): Leg => tour.at(-1) ?? NOWHERE;

function routesOf(imei: string, work: Work, tours: readonly Tour[]): Character['routes'] {
  if (work === 'haul') {
    const [tour = []] = tours;
    const half = tour.length / 2;
    return { whole: [tour], half: [tour], out: [tour.slice(0, half)], back: [tour.slice(half)] };
  }
  if (work === 'anytime') return { whole: [anytimeRoute(imei, tours)], half: [], out: [], back: [] };
  /** This many rounds in a row, starting with each of the vehicle's own rounds in turn. */
  const rounds = (count: number) =>
    tours.map((_, first) =>
      Array.from({ length: count }, (_, nth) => tours[(first + nth) % tours.length] ?? []).flat(),
    );
  const [whole, half] = ROUNDS[work];
  return { whole: rounds(whole), half: rounds(half), out: [], back: [] };
}

/** As many rounds as fit into a day on the road, including the time for deliveries. */
function anytimeRoute(imei: string, own: readonly Tour[]): Leg[] {
  const route: Leg[] = [];
  for (let hours = 0, nth = 0; ; nth++) {
    const round = own[nth % own.length] ?? [];
    const random = randomFrom('nominal', imei, nth);
    for (const leg of round) {
      const stop = stopAfter('anytime', random).reduce((sum, { seconds }) => sum + seconds, 0);
      hours += (driveLeg(leg, random).duration + stop) / 3600;
    }
    if (hours > ANYTIME_HOURS || round.length === 0) return route;
    route.push(...round);
  }
}
