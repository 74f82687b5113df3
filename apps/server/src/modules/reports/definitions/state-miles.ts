import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { distance, quotient, vehicleColumn } from '../columns.ts';
import { type Readings, readingsOf } from '../readings.ts';
import { type Asked, defineReport, type ReportItem, VEHICLE_GROUPINGS, type VehicleLegs } from '../report.ts';
import { stateShares } from '../states/state-miles.ts';
import { words } from '../words.ts';

interface Driven extends ReportItem {
  readonly state: string | null;
  readonly millimetres: number;
  readonly odometerM: number | null;
}

const ELSEWHERE = words(
  'Outside the US, over water, or not seen',
  'Fuera de EE. UU., sobre agua o sin datos',
  'Hors des États-Unis, sur l’eau ou sans données',
);

/** How far each vehicle drove in each US state, by GPS and by odometer. docs/reports.md says how exact its borders are. */
export const stateMiles = defineReport<Driven>({
  key: 'state-miles',
  section: 'fleet',
  title: words('State mileage', 'Distancia por estado', 'Distance par État'),
  text: words(
    'Distance in each US state, by GPS and by odometer',
    'Distancia en cada estado de EE. UU., por GPS y por odómetro',
    'Distance dans chaque État américain, par GPS et au compteur',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  columns: [
    vehicleColumn,
    {
      key: 'state',
      title: words('State', 'Estado', 'État'),
      type: 'text',
      of: ({ state }, { language }) => state ?? ELSEWHERE[language],
    },
    distance('distance', words('By GPS', 'Por GPS', 'Par GPS'), ({ millimetres }) => millimetres / 1000),
    distance('odometer', words('By odometer', 'Por odómetro', 'Au compteur'), ({ odometerM }) => odometerM),
    {
      key: 'difference',
      title: words('Odometer to GPS', 'Odómetro frente a GPS', 'Compteur par rapport au GPS'),
      type: 'share',
      of: ({ millimetres, odometerM }) => (odometerM === null ? null : quotient(odometerM, millimetres / 1000)),
      total: total => quotient(total('odometer') ?? 0, total('distance') ?? 0),
    },
  ],
  read: async function* (asked) {
    for await (const batch of asked.sources.legs(asked)) {
      for (const { legs, vehicle } of batch) yield await drivenBy(asked, vehicle, legs);
    }
  },
});

async function drivenBy(asked: Asked, vehicle: DirectoryEntry, all: VehicleLegs['legs']): Promise<Driven[]> {
  const { bucketOf, calendar, groupBy } = asked;
  const isByTime = groupBy === 'day' || groupBy === 'week' || groupBy === 'month';
  const legs = all.filter(({ millimetres }) => millimetres > 0);
  const found = new Map<string, Driven>();
  let next = 0;
  let within: Readings[] = [];
  let last: Readings | null = null;
  const finish = (): void => {
    const leg = legs[next];
    if (!leg) return;
    const day = isByTime ? bucketOf(calendar.dayOf(leg.from)) : asked.from;
    for (const { millimetres, odometerM, state } of stateShares(within, leg.millimetres)) {
      const id = `${vehicle.id}-${day}-${state?.fips ?? 'other'}`;
      const known = found.get(id) ?? { id, vehicle, day, state: state?.name ?? null, millimetres: 0, odometerM: null };
      found.set(id, {
        ...known,
        millimetres: known.millimetres + millimetres,
        odometerM: odometerM === null ? known.odometerM : (known.odometerM ?? 0) + odometerM,
      });
    }
    next++;
    within = [];
  };
  for await (const page of readingsOf(asked, vehicle)) {
    for (const reading of page) {
      while (legs[next] && reading.timeMs > (legs[next]?.to ?? 0)) finish();
      const leg = legs[next];
      if (leg && reading.timeMs >= leg.from) {
        // It drove from where it was last heard.
        if (within.length === 0 && last) within.push(last);
        within.push(reading);
      }
      if (reading.isBelieved) last = reading;
    }
  }
  while (next < legs.length) finish();
  return [...found.values()].sort((a, b) => (a.day ?? 0) - (b.day ?? 0) || b.millimetres - a.millimetres);
}
