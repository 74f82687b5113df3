import { count, duration, quotient, text, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem, VISIT_GROUPINGS, type VisitPart } from '../report.ts';
import { words } from '../words.ts';

interface Stays extends ReportItem {
  readonly parts: readonly VisitPart[];
}

const lengthMs = ({ fromMs, toMs }: VisitPart): number => toMs - fromMs;
const totalMs = ({ parts }: Stays): number => parts.reduce((sum, part) => sum + lengthMs(part), 0);

/** How long each vehicle was in each geofence. */
export const timeOnSite = defineReport<Stays>({
  key: 'time-on-site',
  section: 'movement',
  title: words('Time on site', 'Tiempo en el lugar', 'Temps sur place'),
  text: words(
    'How long each vehicle was in each geofence, and how often',
    'Cuánto tiempo estuvo cada vehículo en cada geocerca, y cuántas veces',
    'Combien de temps chaque véhicule a passé dans chaque géobarrière, et combien de fois',
  ),
  needs: 'geofences.read',
  isOfPositions: true,
  groupings: VISIT_GROUPINGS,
  columns: [
    vehicleColumn,
    text('geofence', words('Geofence', 'Geocerca', 'Géobarrière'), ({ geofence }) => geofence?.name ?? null),
    count('visits', words('Visits', 'Visitas', 'Visites'), ({ parts }) => parts.length),
    duration('onSite', words('On site', 'En el lugar', 'Sur place'), item => totalMs(item) / 1000),
    {
      key: 'mean',
      title: words('Average visit', 'Visita media', 'Visite moyenne'),
      type: 'duration',
      of: item => quotient(totalMs(item) / 1000, item.parts.length),
      total: total => quotient(total('onSite') ?? 0, total('visits') ?? 0),
    },
    {
      key: 'longest',
      title: words('Longest visit', 'Visita más larga', 'Visite la plus longue'),
      type: 'duration',
      of: ({ parts }) => Math.max(...parts.map(lengthMs)) / 1000,
      total: 'max',
    },
  ],
  read: async function* (asked) {
    const { bucketOf, calendar, groupBy, sources } = asked;
    const isByTime = groupBy === 'day' || groupBy === 'week' || groupBy === 'month';
    for await (const batch of sources.visits(asked)) {
      const stays = Map.groupBy(batch, ({ fromMs, geofence, vehicle }) => {
        const bucket = isByTime ? bucketOf(calendar.dayOf(fromMs)) : '';
        return `${vehicle.id}-${geofence.id}-${bucket}`;
      });
      yield [...stays].flatMap(([id, parts]): Stays[] => {
        const [first] = parts;
        if (!first) return [];
        const { fromMs, geofence, vehicle } = first;
        return [{ id, vehicle, geofence, parts, day: calendar.dayOf(fromMs) }];
      });
    }
  },
});
