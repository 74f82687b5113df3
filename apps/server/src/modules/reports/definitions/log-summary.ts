import { count, distance, duration, text } from '../columns.ts';
import { LOG_GROUPINGS, type LogDayItem, logDayColumn, logDayItems, logDriverColumn } from '../log-items.ts';
import { defineReport } from '../report.ts';
import { words } from '../words.ts';

/** Each day of each driver’s log, with its totals. */
export const logSummary = defineReport<LogDayItem>({
  key: 'log-summary',
  section: 'hours',
  title: words('Log summary', 'Resumen de bitácoras', 'Résumé des journaux'),
  text: words(
    'Each driver’s days: hours by duty status, distance, violations',
    'Los días de cada conductor: horas por estado, distancia, infracciones',
    'Les jours de chaque conducteur : heures par statut, distance, infractions',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: LOG_GROUPINGS,
  columns: [
    logDriverColumn,
    logDayColumn,
    duration('driving', words('Driving', 'Conducción', 'Conduite'), ({ log }) => log.totals.D),
    duration('onDuty', words('On duty', 'En servicio', 'En service'), ({ log }) => log.totals.ON),
    duration('sleeper', words('Sleeper berth', 'Litera', 'Couchette'), ({ log }) => log.totals.SB),
    duration('offDuty', words('Off duty', 'Fuera de servicio', 'Hors service'), ({ log }) => log.totals.OFF),
    distance('distance', words('Distance', 'Distancia', 'Distance'), ({ log }) =>
      log.distanceKm === null ? null : log.distanceKm * 1000,
    ),
    count('violations', words('Violations', 'Infracciones', 'Infractions'), ({ log }) => log.violations.length),
    text('vehicles', words('Vehicles', 'Vehículos', 'Véhicules'), ({ log }) => log.vehicles.join(', ') || null),
  ],
  read: logDayItems,
});
