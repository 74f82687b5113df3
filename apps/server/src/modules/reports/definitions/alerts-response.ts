import type { Severity } from '@milepost/contract';
import { TEXTS } from '../../notifications/texts/texts.ts';
import { type AlertItem, alertItems, alertName } from '../alert-items.ts';
import { count, driverColumn, moment, quotient, text, vehicleColumn } from '../columns.ts';
import { defineReport, TRIP_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

/** Every alert, and how long it waited for someone. */
export const alertsResponse = defineReport<AlertItem>({
  key: 'alerts-response',
  section: 'alerts',
  title: words('Alerts and response', 'Alertas y respuesta', 'Alertes et réponse'),
  text: words(
    'Every alert, who acknowledged it, and how long that took',
    'Cada alerta, quién la confirmó y cuánto tardó',
    'Chaque alerte, qui l’a confirmée et en combien de temps',
  ),
  needs: 'alerts.read',
  isOfPositions: false,
  groupings: TRIP_GROUPINGS,
  columns: [
    vehicleColumn,
    driverColumn,
    {
      key: 'kind',
      title: words('Alert', 'Alerta', 'Alerte'),
      type: 'text',
      of: ({ alert }, { language }) => alertName(alert, language),
    },
    {
      key: 'severity',
      title: words('Severity', 'Gravedad', 'Gravité'),
      type: 'text',
      of: ({ alert }, { language }) => TEXTS[language].severity[alert.severity as Severity],
    },
    moment('opened', words('Began', 'Comenzó', 'Début'), ({ alert }) => alert.opened_at.getTime()),
    moment('closed', words('Ended', 'Terminó', 'Fin'), ({ alert }) => alert.closed_at?.getTime() ?? null),
    count('times', words('Times', 'Veces', 'Fois'), ({ alert }) => alert.count),
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ alert: { lat, lon } }, { sources }) => sources.placeOf(lat === null || lon === null ? null : { lat, lon }),
    },
    text('by', words('Acknowledged by', 'Confirmada por', 'Confirmée par'), ({ alert }) => alert.acknowledger),
    text('note', words('Note', 'Nota', 'Note'), ({ alert }) => alert.note),
    count('acknowledged', words('Acknowledged', 'Confirmadas', 'Confirmées'), ({ responseS }) =>
      responseS === null ? 0 : 1,
    ),
    {
      key: 'waited',
      title: words('Waited', 'Esperó', 'Attente'),
      type: 'duration',
      of: ({ responseS }) => responseS,
      total: 'sum',
    },
    {
      key: 'meanWait',
      title: words('Average wait', 'Espera media', 'Attente moyenne'),
      type: 'duration',
      of: ({ responseS }) => responseS,
      total: total => quotient(total('waited') ?? 0, total('acknowledged') ?? 0),
    },
  ],
  read: asked => alertItems(asked),
});
