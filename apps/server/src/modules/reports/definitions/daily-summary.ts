import type { DayTotals } from '../../history/days/totals.ts';
import { count, dayColumn, distance, duration, moment, shareOf, topSpeed, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem, VEHICLE_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

interface VehicleDay extends ReportItem {
  readonly totals: DayTotals;
}

export const dailySummary = defineReport<VehicleDay>({
  key: 'daily-summary',
  section: 'movement',
  title: words('Daily summary', 'Resumen diario', 'Résumé quotidien'),
  text: words(
    'What each vehicle did on each day',
    'Lo que hizo cada vehículo cada día',
    'Ce que chaque véhicule a fait chaque jour',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  columns: [
    vehicleColumn,
    dayColumn,
    moment('firstMove', words('First move', 'Primer movimiento', 'Premier départ'), ({ totals }) => totals.firstMoveAt),
    moment('lastStop', words('Last stop', 'Última parada', 'Dernier arrêt'), ({ totals }) => totals.lastStopAt),
    distance('distance', words('Distance', 'Distancia', 'Distance'), ({ totals }) => totals.distanceM),
    duration('driving', words('Driving', 'Conducción', 'Conduite'), ({ totals }) => totals.movingS),
    duration('idling', words('Idle', 'Ralentí', 'Ralenti'), ({ totals }) => totals.idlingS),
    shareOf(
      'idleShare',
      words('Idle share', 'Parte en ralentí', 'Part de ralenti'),
      ({ totals }) => [totals.idlingS, totals.idlingS + totals.movingS],
      ['idling', ['idling', 'driving']],
    ),
    duration('stopped', words('Stopped', 'Detenido', 'À l’arrêt'), ({ totals }) => totals.stoppedS),
    duration('gap', words('No data', 'Sin datos', 'Sans données'), ({ totals }) => totals.gapS),
    count('stops', words('Stops', 'Paradas', 'Arrêts'), ({ totals }) => totals.stops),
    topSpeed(({ totals }) => totals.maxSpeedMps),
  ],
  read: async function* (asked) {
    const { calendar, nowMs, sources } = asked;
    for await (const batch of sources.days(asked)) {
      yield batch.map(({ vehicle, day, totals }) => ({
        id: `${vehicle.id}-${calendar.dateOf(day)}`,
        vehicle,
        day,
        totals,
        evidence: { fromMs: calendar.startOf(day), toMs: Math.min(calendar.startOf(day + 1), nowMs) },
        isUnderWay: calendar.startOf(day + 1) > nowMs,
      }));
    }
  },
});
