import type { Leg } from '@milepost/geo';
import { distance, driverColumn, duration, fromColumn, moment, toColumn, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem, TRIP_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';
import { msOutside } from '../working-hours.ts';

interface LateTrip extends ReportItem {
  readonly leg: Leg;
  readonly outsideMs: number;
}

/** Trips that were at least partly outside of working hours, or on a weekend. */
export const afterHours = defineReport<LateTrip>({
  key: 'after-hours',
  section: 'movement',
  title: words('After hours and weekends', 'Fuera de horario y fines de semana', 'Hors horaires et week-ends'),
  text: words(
    'Trips outside of working hours, or on a Saturday or Sunday',
    'Viajes fuera del horario de trabajo, o en sábado o domingo',
    'Trajets hors des heures de travail, ou le samedi ou le dimanche',
  ),
  isOfPositions: true,
  groupings: TRIP_GROUPINGS,
  options: [
    { key: 'workFrom', title: words('Work begins', 'El trabajo empieza', 'Début du travail'), value: 360 },
    { key: 'workTo', title: words('Work ends', 'El trabajo termina', 'Fin du travail'), value: 1080 },
  ],
  columns: [
    vehicleColumn,
    driverColumn,
    moment('start', words('Start', 'Inicio', 'Départ'), ({ leg }) => leg.from),
    fromColumn,
    moment('end', words('End', 'Fin', 'Arrivée'), ({ leg }) => leg.to),
    toColumn,
    duration(
      'outside',
      words('Outside hours', 'Fuera de horario', 'Hors horaires'),
      ({ outsideMs }) => outsideMs / 1000,
    ),
    distance(
      'distance',
      words('Distance of the trip', 'Distancia del viaje', 'Distance du trajet'),
      ({ leg }) => leg.millimetres / 1000,
    ),
  ],
  read: async function* (asked) {
    const { calendar, nowMs, sources } = asked;
    const hours = { from: asked.option('workFrom'), to: asked.option('workTo') };
    for await (const batch of sources.legs(asked, ['trip', 'idling'])) {
      yield batch.flatMap(({ vehicle, legs }) =>
        legs.flatMap(leg => {
          const outsideMs = leg.kind === 'trip' ? msOutside(calendar, hours, leg.from, leg.to) : 0;
          if (outsideMs === 0) return [];
          return {
            id: `${vehicle.id}-${leg.from}`,
            vehicle,
            leg,
            outsideMs,
            day: calendar.dayOf(leg.from),
            drivers: sources.driversOf(vehicle, leg, leg.cards),
            evidence: { fromMs: leg.from, toMs: leg.to },
            isUnderWay: leg.to === nowMs,
          };
        }),
      );
    }
  },
});
