import { type Leg, meanSpeed, odometerDistance } from '@milepost/geo';
import {
  distance,
  driverColumn,
  duration,
  fromColumn,
  moment,
  quotient,
  toColumn,
  topSpeed,
  vehicleColumn,
} from '../columns.ts';
import { defineReport, type ReportItem, TRIP_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

interface Trip extends ReportItem {
  readonly leg: Leg;
}

/** Every trip, or its part within the period. */
export const trips = defineReport<Trip>({
  key: 'trips',
  section: 'movement',
  title: words('Trips', 'Viajes', 'Trajets'),
  text: words(
    'Every trip with its start, end, distance and times',
    'Cada viaje con su inicio, fin, distancia y tiempos',
    'Chaque trajet avec son départ, son arrivée, sa distance et ses durées',
  ),
  isOfPositions: true,
  groupings: TRIP_GROUPINGS,
  options: [
    {
      key: 'minimumM',
      title: words('Shortest trip', 'Viaje más corto', 'Trajet le plus court'),
      value: 0,
    },
  ],
  columns: [
    vehicleColumn,
    driverColumn,
    moment('start', words('Start', 'Inicio', 'Départ'), ({ leg }) => leg.from),
    fromColumn,
    moment('end', words('End', 'Fin', 'Arrivée'), ({ leg }) => leg.to),
    toColumn,
    distance('distance', words('Distance', 'Distancia', 'Distance'), ({ leg }) => leg.millimetres / 1000),
    duration('driving', words('Driving', 'Conducción', 'Conduite'), ({ leg }) => leg.movingMs / 1000),
    duration('idling', words('Idle', 'Ralentí', 'Ralenti'), ({ leg }) => leg.idlingMs / 1000),
    {
      key: 'meanSpeed',
      title: words('Average speed', 'Velocidad media', 'Vitesse moyenne'),
      type: 'speed',
      of: ({ leg }) => meanSpeed(leg),
      total: total => quotient(total('distance') ?? 0, total('driving') ?? 0),
    },
    topSpeed(({ leg }) => leg.maxSpeed),
    distance('odometer', words('By odometer', 'Por odómetro', 'Au compteur'), ({ leg }) => odometerDistance(leg)),
  ],
  read: async function* (asked) {
    const { calendar, nowMs, sources } = asked;
    const minimum = asked.option('minimumM') * 1000;
    // What idles in the morning may go on with a trip over midnight; stops and gaps are not needed.
    for await (const batch of sources.legs(asked, ['trip', 'idling'])) {
      yield batch.flatMap(({ vehicle, legs }) =>
        legs
          .filter(({ kind, millimetres }) => kind === 'trip' && millimetres >= minimum)
          .map(leg => ({
            id: `${vehicle.id}-${leg.from}`,
            vehicle,
            leg,
            day: calendar.dayOf(leg.from),
            drivers: sources.driversOf(vehicle, leg, leg.cards),
            evidence: { fromMs: leg.from, toMs: leg.to },
            isUnderWay: leg.to === nowMs,
          })),
      );
    }
  },
});
