import { type AlertItem, alertColumns, alertItems } from '../alert-items.ts';
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
  columns: alertColumns(),
  read: asked => alertItems(asked, undefined, ['temperature']),
});
