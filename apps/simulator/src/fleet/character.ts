import { driveLeg } from '../drive/leg-run.ts';
import { between, randomFrom } from '../drive/random.ts';
import type { Tour, Tours } from '../drive/tour-file.ts';
import type { Behaviour } from '../tracker/behaviour.ts';
import { stopAfter } from './stop.ts';

/** What is odd about a tracker, so that the demo shows every status and every kind of trouble. */
export type Quirk =
  | 'none'
  /** Has not been heard of for more than a day. */
  | 'lost'
  /** Under a roof that lets no satellite through, most of the time. */
  | 'no-fix'
  /** Drives through a dead zone for half an hour at a time and sends what it kept afterwards. */
  | 'dead-zone';

/** All that makes one vehicle what it is. The same vehicle has the same character at every start. */
export interface Character {
  readonly imei: string;
  readonly quirk: Quirk;
  /** How its tracker takes commands. */
  readonly behaviour: Behaviour;
  /** Seconds by which its dead zone begins later than another's: they take turns. */
  readonly zoneDelay: number;
  /** The rounds it drives in turn within a day; a long haul is one. */
  readonly rounds: readonly Tour[];
  /** When its day begins, in seconds after midnight UTC: the fleet works round the clock, in turns. */
  readonly dayBegins: number;
  /** Seconds between reports while driving. */
  readonly reportEvery: number;
  /** The same of what it keeps for days. A phone, one request for each, keeps less. */
  readonly keepsEvery: number;
  /** Litres in the tank, litres burnt per kilometre and per idling hour. */
  readonly tank: number;
  readonly burnPerKm: number;
  readonly burnPerIdlingHour: number;
  /** Metres on the odometer at the epoch of `dayNumber` 0. */
  readonly odometer: number;
  /** What the box is cooled to, °C; null without a cooler. */
  readonly setPoint: number | null;
  /** Of the driver who has the vehicle in the first half of its day on the road; the other drives without a card. */
  readonly card: string | null;
  /** Above this the tracker reports overspeed, m/s. */
  readonly speedAlarm: number;
}

export interface VehicleToDrive {
  readonly imei: string;
  readonly name: string;
  /** Its usual driver's: an iButton, 64 bits as hexadecimal digits. */
  readonly card: string | null;
}

/** Two drivers share a vehicle: so many hours on the road, then it rests. */
const HOURS_A_DAY = 21.5;
const HAULS = 5;
/** The demo fleet's unit numbers say what a vehicle is. */
const TRACTOR = /^41\d\d$/;
const VAN = /^55\d\d$/;
const REEFER = /^R-\d+$/;
/** Who is odd, by place from the end of a fleet that is sorted by name: four tractors of the demo. */
const QUIRKS: ReadonlyMap<number, Quirk> = new Map([
  [14, 'lost'],
  [17, 'no-fix'],
  [20, 'dead-zone'],
  [23, 'dead-zone'],
]);
/** Whose tracker does not do as it is told, so that the demo shows what becomes of commands: tractors, too. */
const BEHAVIOUR: ReadonlyMap<number, Behaviour> = new Map([
  [12, 'refusing'],
  [15, 'asleep'],
  [18, 'silent'],
]);
const FIRST_DEAD_ZONE = 20;
const ZONES_APART_S = 1800;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const CITY_ALARM_KMH = 94;
const HAUL_ALARM_KMH = 110;
const SET_POINTS = [-18, 3, -18, 2, -20, 5];

/** Gives every vehicle its character by its place in the fleet, which is sorted by name; all take commands by `behaviour` if it is given. */
export function characters(
  fleet: readonly VehicleToDrive[],
  { cityRounds, longHauls }: Tours,
  behaviour: Behaviour | null = null,
): Character[] {
  const hauling = fleet.filter(vehicle => TRACTOR.test(vehicle.name)).slice(0, HAULS);
  const cooled = fleet.filter(vehicle => REEFER.test(vehicle.name));

  return fleet.map((vehicle, index) => {
    const random = randomFrom('character', vehicle.imei);
    const haul = hauling.indexOf(vehicle);
    const reefer = cooled.indexOf(vehicle);
    const van = VAN.test(vehicle.name);
    const fromEnd = fleet.length - 1 - index;
    const own = Array.from({ length: 3 }, (_, nth) => cityRounds[(index * 3 + nth) % cityRounds.length] ?? []);
    return {
      imei: vehicle.imei,
      quirk: (haul < 0 && QUIRKS.get(fromEnd)) || 'none',
      behaviour: behaviour ?? ((haul < 0 && BEHAVIOUR.get(fromEnd)) || 'answering'),
      zoneDelay: fromEnd === FIRST_DEAD_ZONE ? 0 : ZONES_APART_S,
      rounds: roundsOfADay(vehicle.imei, haul >= 0 ? longHauls.slice(haul, haul + 1) : own),
      // Spread over the clock so that neighbours in the list rest at different times.
      dayBegins: Math.round(((index * GOLDEN) % 1) * 86_400),
      reportEvery: [5, 6, 8, 10][Math.floor(random() * 4)] ?? 10,
      keepsEvery: van ? 120 : 60,
      tank: van ? 95 : reefer >= 0 ? 230 : haul >= 0 ? 760 : 380,
      burnPerKm: van ? 0.13 : between(random, 0.26, 0.34),
      burnPerIdlingHour: van ? 1.2 : 3,
      odometer: Math.round(between(random, 40_000_000, 600_000_000)),
      setPoint: reefer >= 0 ? (SET_POINTS[reefer % SET_POINTS.length] ?? 3) : null,
      card: vehicle.card,
      speedAlarm: (haul >= 0 ? HAUL_ALARM_KMH : CITY_ALARM_KMH) / 3.6,
    };
  });
}

/** As many rounds as fit into a day on the road with the time that deliveries take. */
function roundsOfADay(imei: string, own: readonly Tour[]): Tour[] {
  const day: Tour[] = [];
  for (let hours = 0, nth = 0; ; nth++) {
    const round = own[nth % own.length] ?? [];
    const random = randomFrom('nominal', imei, nth);
    for (const leg of round) {
      const stop = stopAfter(leg, random).reduce((sum, { seconds }) => sum + seconds, 0);
      hours += (driveLeg(leg, random).duration + stop) / 3600;
    }
    if (hours > HOURS_A_DAY || round.length === 0) return day;
    day.push(round);
  }
}
