import type { Leg } from '@milepost/geo';
import { duration, moment, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem, VEHICLE_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

interface Stop extends ReportItem {
  readonly leg: Leg;
}

/** Every stop, or its part within the period. */
export const stops = defineReport<Stop>({
  key: 'stops',
  section: 'movement',
  title: words('Stops', 'Paradas', 'Arrêts'),
  text: words(
    'Where vehicles stood, for how long, and with the engine on',
    'Dónde estuvieron los vehículos, cuánto tiempo y con el motor encendido',
    'Où les véhicules étaient à l’arrêt, combien de temps, et moteur allumé',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  options: [
    {
      key: 'minimumS',
      title: words('Shortest stop', 'Parada más corta', 'Arrêt le plus court'),
      value: 0,
    },
  ],
  columns: [
    vehicleColumn,
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ leg }, { sources }) => sources.placeOf(leg.start ?? leg.end),
    },
    moment('start', words('Arrived', 'Llegada', 'Arrivée'), ({ leg }) => leg.from),
    moment('end', words('Left', 'Salida', 'Départ'), ({ leg, isUnderWay }) => (isUnderWay ? null : leg.to)),
    duration('length', words('Duration', 'Duración', 'Durée'), ({ leg }) => (leg.to - leg.from) / 1000),
    duration('idling', words('Engine on', 'Motor encendido', 'Moteur allumé'), ({ leg }) => leg.idlingMs / 1000),
  ],
  read: async function* (asked) {
    const { calendar, nowMs, sources } = asked;
    const minimum = asked.option('minimumS') * 1000;
    // Idling in the morning belongs to the trip or the stop before it, so trips are needed, too.
    for await (const batch of sources.legs(asked, ['trip', 'stop', 'idling'])) {
      yield batch.flatMap(({ vehicle, legs }) =>
        legs
          .filter(({ from, kind, to }) => kind === 'stop' && to - from >= minimum)
          .map(leg => ({
            id: `${vehicle.id}-${leg.from}`,
            vehicle,
            leg,
            day: calendar.dayOf(leg.from),
            evidence: { fromMs: leg.from, toMs: leg.to },
            isUnderWay: leg.to === nowMs,
          })),
      );
    }
  },
});
