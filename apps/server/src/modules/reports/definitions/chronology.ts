import type { Leg, LegKind } from '@milepost/geo';
import { distance, driverColumn, duration, fromColumn, moment, toColumn, topSpeed, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem, TRIP_GROUPINGS } from '../report.ts';
import { type Words, words } from '../words.ts';

interface Happened extends ReportItem {
  readonly leg: Leg;
}

const KINDS: Readonly<Record<LegKind, Words>> = {
  trip: words('Trip', 'Viaje', 'Trajet'),
  stop: words('Stop', 'Parada', 'Arrêt'),
  gap: words('No data', 'Sin datos', 'Aucune donnée'),
};

/** Trips, stops and times without data one after the other: each vehicle's whole time, without holes. */
export const chronology = defineReport<Happened>({
  key: 'chronology',
  section: 'movement',
  title: words('Chronology', 'Cronología', 'Chronologie'),
  text: words(
    'Trips, stops and time without data, one after the other',
    'Viajes, paradas y tiempo sin datos, uno tras otro',
    'Trajets, arrêts et temps sans données, l’un après l’autre',
  ),
  isOfPositions: true,
  groupings: TRIP_GROUPINGS,
  chart: 'distance',
  columns: [
    vehicleColumn,
    {
      key: 'kind',
      title: words('What', 'Qué', 'Quoi'),
      type: 'text',
      of: ({ leg }, { language }) => KINDS[leg.kind][language],
    },
    moment('start', words('Start', 'Inicio', 'Début'), ({ leg }) => leg.from),
    moment('end', words('End', 'Fin', 'Fin'), ({ leg }) => leg.to),
    duration('length', words('Duration', 'Duración', 'Durée'), ({ leg }) => (leg.to - leg.from) / 1000),
    fromColumn,
    toColumn,
    driverColumn,
    distance('distance', words('Distance', 'Distancia', 'Distance'), ({ leg }) => leg.millimetres / 1000),
    duration('driving', words('Driving', 'Conducción', 'Conduite'), ({ leg }) => leg.movingMs / 1000),
    duration('idling', words('Idle', 'Ralentí', 'Ralenti'), ({ leg }) => leg.idlingMs / 1000),
    duration('stopped', words('Stopped', 'Detenido', 'Arrêté'), ({ leg }) => leg.stoppedMs / 1000),
    topSpeed(({ leg }) => leg.maxSpeed),
  ],
  read: async function* (asked) {
    const { calendar, nowMs, sources } = asked;
    for await (const batch of sources.legs(asked)) {
      yield batch.flatMap(({ vehicle, legs }) =>
        legs.map(leg => ({
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
