import type { Detention } from '@milepost/contract';
import { duration, moment, text, vehicleColumn } from '../columns.ts';
import { costOf, detainedMs } from '../detained.ts';
import { defineReport, type ReportItem, VISIT_GROUPINGS, type VisitPart } from '../report.ts';
import { words } from '../words.ts';

interface Detained extends ReportItem {
  readonly part: VisitPart;
  readonly terms: Detention;
  /** After the free time, within the period. */
  readonly detainedMs: number;
}

/** Visits that took longer than what is free, and what that costs. */
export const detention = defineReport<Detained>({
  key: 'detention',
  section: 'movement',
  title: words('Detention', 'Estadías', 'Attente facturable'),
  text: words(
    'How long vehicles were kept beyond the free time of a geofence, and what that costs',
    'Cuánto se retuvo a los vehículos más allá del tiempo libre de una geocerca, y cuánto cuesta',
    'Combien de temps les véhicules ont été retenus au-delà du temps gratuit d’une géobarrière, et ce que cela coûte',
  ),
  needs: 'geofences.read',
  isOfPositions: true,
  groupings: VISIT_GROUPINGS,
  chart: 'cost',
  columns: [
    vehicleColumn,
    text('geofence', words('Geofence', 'Geocerca', 'Géobarrière'), ({ part }) => part.geofence.name),
    moment('start', words('Entered', 'Entrada', 'Entrée'), ({ part }) => part.inMs),
    moment('end', words('Left', 'Salida', 'Sortie'), ({ part }) => part.outMs),
    duration('onSite', words('On site', 'En el lugar', 'Sur place'), ({ part }) => (part.toMs - part.fromMs) / 1000),
    {
      key: 'free',
      title: words('Free', 'Libre', 'Gratuit'),
      type: 'duration',
      of: ({ terms }) => terms.freeMinutes * 60,
    },
    duration('detention', words('Detention', 'Estadías', 'Attente facturable'), item => item.detainedMs / 1000),
    {
      key: 'perHour',
      title: words('Per hour', 'Por hora', 'Par heure'),
      type: 'money',
      of: ({ terms }) => terms.perHour,
    },
    {
      key: 'cost',
      title: words('Cost', 'Costo', 'Coût'),
      type: 'money',
      of: item => costOf(item.detainedMs, item.terms),
      total: 'sum',
    },
  ],
  read: async function* (asked) {
    const { calendar, sources } = asked;
    for await (const batch of sources.visits(asked)) {
      yield batch.flatMap((part): Detained[] => {
        const detained = detainedMs(part);
        if (part.detention === null || detained === 0) return [];
        const { fromMs, geofence, inMs, outMs, vehicle } = part;
        return [
          {
            id: `${vehicle.id}-${geofence.id}-${inMs}-${fromMs}`,
            ...{ vehicle, geofence, part, terms: part.detention, detainedMs: detained },
            day: calendar.dayOf(fromMs),
            evidence: part,
            isUnderWay: outMs === null,
          },
        ];
      });
    }
  },
});
