import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { distance, quotient, vehicleColumn } from '../columns.ts';
import { type Readings, readingsOf } from '../readings.ts';
import { type Asked, defineReport, type ReportItem, VEHICLE_GROUPINGS, type VehicleLegs } from '../report.ts';
import type { Country, State } from '../states/borders.ts';
import { stateShares } from '../states/state-miles.ts';
import { type Words, words } from '../words.ts';

interface Driven extends ReportItem {
  readonly state: State | null;
  readonly millimetres: number;
  readonly odometerM: number | null;
}

const ELSEWHERE = words(
  'Elsewhere, over water, or not seen',
  'En otro lugar, sobre agua o sin datos',
  'Ailleurs, sur l’eau ou sans données',
);
const COUNTRIES: Readonly<Record<Country, Words>> = {
  US: words('United States', 'Estados Unidos', 'États-Unis'),
  CA: words('Canada', 'Canadá', 'Canada'),
  MX: words('Mexico', 'México', 'Mexique'),
};

/**
 * How far each vehicle drove in each state of the US and Mexico and each province of Canada, by GPS and by odometer.
 * docs/reports.md says how exact its borders are.
 */
export const stateMiles = defineReport<Driven>({
  key: 'state-miles',
  section: 'fleet',
  title: words('State mileage', 'Distancia por estado', 'Distance par État'),
  text: words(
    'Distance in each US state, Canadian province and Mexican state, by GPS and by odometer. Near a border, up to a mile may be counted to the neighbor.',
    'Distancia en cada estado de EE. UU. y México y cada provincia de Canadá, por GPS y por odómetro. Cerca de una frontera, hasta 1.6 km pueden contarse al vecino.',
    'Distance dans chaque État américain ou mexicain et chaque province canadienne, par GPS et au compteur. Près d’une frontière, jusqu’à 1,6 km peuvent être comptés au voisin.',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  columns: [
    vehicleColumn,
    {
      key: 'state',
      title: words('State or province', 'Estado o provincia', 'État ou province'),
      type: 'text',
      of: ({ state }, { language }) => state?.name ?? ELSEWHERE[language],
    },
    {
      key: 'country',
      title: words('Country', 'País', 'Pays'),
      type: 'text',
      of: ({ state }, { language }) => state && COUNTRIES[state.country][language],
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
      const id = `${vehicle.id}-${day}-${state?.code ?? 'other'}`;
      const known = found.get(id) ?? { id, vehicle, day, state, millimetres: 0, odometerM: null };
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
