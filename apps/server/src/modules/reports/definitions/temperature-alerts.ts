import { type AlertItem, alertItems, alertLength } from '../alert-items.ts';
import { driverColumn, moment, text, vehicleColumn } from '../columns.ts';
import { defineReport, TRIP_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

/** When a cargo was outside of the range that a rule sets. */
export const temperatureAlerts = defineReport<AlertItem>({
  key: 'temperature-alerts',
  section: 'fleet',
  title: words('Temperature alerts', 'Alertas de temperatura', 'Alertes de température'),
  text: words(
    'When rules reported a temperature outside of its range, and for how long',
    'Cuándo las reglas reportaron una temperatura fuera de su rango, y por cuánto tiempo',
    'Quand les règles ont signalé une température hors de sa plage, et pendant combien de temps',
  ),
  needs: 'alerts.read',
  isOfPositions: false,
  groupings: TRIP_GROUPINGS,
  columns: [
    vehicleColumn,
    driverColumn,
    moment('start', words('Start', 'Inicio', 'Début'), ({ alert }) => alert.opened_at.getTime()),
    moment('end', words('End', 'Fin', 'Fin'), ({ alert }) => alert.closed_at?.getTime() ?? null),
    alertLength,
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ alert: { lat, lon } }, { sources }) => sources.placeOf(lat === null || lon === null ? null : { lat, lon }),
    },
    text('rule', words('Rule', 'Regla', 'Règle'), ({ alert }) => alert.rule?.name ?? null),
    text('by', words('Acknowledged by', 'Confirmada por', 'Confirmée par'), ({ alert }) => alert.acknowledger),
  ],
  read: asked => alertItems(asked, undefined, ['temperature']),
});
