import type { Leg } from '@milepost/geo';
import { driverColumn, duration, moment, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem, TRIP_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

interface Idling extends ReportItem {
  readonly leg: Leg;
}

const ON_TRIP = words('On the way', 'En camino', 'En route');
const AT_STOP = words('At a stop', 'En una parada', 'À l’arrêt');

/** Trips and stops in which the engine ran while the vehicle stood. */
export const idleTime = defineReport<Idling>({
  key: 'idle-time',
  section: 'driving',
  title: words('Idle time', 'Tiempo en ralentí', 'Temps de ralenti'),
  text: words(
    'Trips and stops in which the engine ran while the vehicle stood',
    'Viajes y paradas en los que el motor funcionó con el vehículo detenido',
    'Trajets et arrêts pendant lesquels le moteur tournait à l’arrêt',
  ),
  isOfPositions: true,
  groupings: TRIP_GROUPINGS,
  options: [
    { key: 'minimumS', title: words('Shortest idle', 'Ralentí más corto', 'Ralenti le plus court'), value: 300 },
  ],
  columns: [
    vehicleColumn,
    driverColumn,
    {
      key: 'when',
      title: words('When', 'Cuándo', 'Quand'),
      type: 'text',
      of: ({ leg }, { language }) => (leg.kind === 'trip' ? ON_TRIP : AT_STOP)[language],
    },
    moment('start', words('Start', 'Inicio', 'Début'), ({ leg }) => leg.from),
    moment('end', words('End', 'Fin', 'Fin'), ({ leg }) => leg.to),
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ leg }, { sources }) => sources.placeOf(leg.end ?? leg.start),
    },
    duration('idling', words('Idle', 'Ralentí', 'Ralenti'), ({ leg }) => leg.idlingMs / 1000),
  ],
  read: async function* (asked) {
    const { calendar, nowMs, sources } = asked;
    const minimum = Math.max(1, asked.option('minimumS') * 1000);
    for await (const batch of sources.legs(asked)) {
      yield batch.flatMap(({ vehicle, legs }) =>
        legs
          .filter(({ idlingMs }) => idlingMs >= minimum)
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
