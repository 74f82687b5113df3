import { type AlertItem, alertItems, alertName } from '../alert-items.ts';
import { count, quotient, shareOf, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem } from '../report.ts';
import { words } from '../words.ts';

interface Noise extends ReportItem {
  /** The first of them. */
  readonly alert: AlertItem['alert'];
  readonly alerts: number;
  readonly times: number;
  readonly short: number;
  readonly unacknowledged: number;
  readonly days: number;
}

/** An alert that ended sooner did hardly need anyone. */
const SHORT_MS = 60_000;

/** Which vehicle raises which alert how often, and how many of them nobody needed: what to set up differently. */
export const alertNoise = defineReport<Noise>({
  key: 'alert-noise',
  section: 'alerts',
  title: words('Alert noise', 'Ruido de alertas', 'Bruit des alertes'),
  text: words(
    'How often each vehicle raised each alert, and how many were brief or never acknowledged',
    'Con qué frecuencia cada vehículo generó cada alerta, y cuántas fueron breves o nunca se confirmaron',
    'Combien de fois chaque véhicule a déclenché chaque alerte, et combien ont été brèves ou jamais confirmées',
  ),
  needs: 'alerts.read',
  isOfPositions: false,
  groupings: ['vehicle', 'folder'],
  columns: [
    vehicleColumn,
    {
      key: 'kind',
      title: words('Alert', 'Alerta', 'Alerte'),
      type: 'text',
      of: ({ alert }, { language }) => alertName(alert, language),
    },
    count('alerts', words('Alerts', 'Alertas', 'Alertes'), ({ alerts }) => alerts),
    count('times', words('Times', 'Veces', 'Fois'), ({ times }) => times),
    {
      key: 'perDay',
      title: words('Alerts per day', 'Alertas por día', 'Alertes par jour'),
      type: 'number',
      of: ({ alerts, days }) => alerts / days,
    },
    count('short', words('Under a minute', 'Menos de un minuto', 'Moins d’une minute'), ({ short }) => short),
    shareOf('shortShare', words('Brief share', 'Parte breve', 'Part brève'), ({ alerts, short }) => [short, alerts], [
      'short',
      ['alerts'],
    ]),
    count(
      'unacknowledged',
      words('Never acknowledged', 'Nunca confirmadas', 'Jamais confirmées'),
      ({ unacknowledged }) => unacknowledged,
    ),
    {
      key: 'unacknowledgedShare',
      title: words('Unacknowledged share', 'Parte sin confirmar', 'Part non confirmée'),
      type: 'share',
      of: ({ alerts, unacknowledged }) => quotient(unacknowledged, alerts),
      total: total => quotient(total('unacknowledged') ?? 0, total('alerts') ?? 0),
    },
  ],
  read: async function* (asked) {
    const days = asked.to - asked.from + 1;
    for await (const items of alertItems(asked)) {
      const groups = Map.groupBy(
        items,
        ({ alert }) => `${alert.vehicle_id}-${alert.kind}-${alert.rule_id ?? alert.event ?? ''}`,
      );
      yield [...groups].map(([id, group]) => noiseOf(id, group, days));
    }
  },
});

function noiseOf(id: string, group: readonly AlertItem[], days: number): Noise {
  const [first] = group as readonly [AlertItem];
  return {
    id,
    vehicle: first.vehicle,
    day: null,
    alert: first.alert,
    alerts: group.length,
    times: group.reduce((sum, { alert }) => sum + alert.count, 0),
    short: group.filter(({ alert: { closed_at, opened_at } }) => closed_at && +closed_at - +opened_at < SHORT_MS)
      .length,
    unacknowledged: group.filter(({ responseS }) => responseS === null).length,
    days,
  };
}
