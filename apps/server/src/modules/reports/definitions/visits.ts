import { duration, moment, text, vehicleColumn } from '../columns.ts';
import { defineReport, type ReportItem, VISIT_GROUPINGS, type VisitPart } from '../report.ts';
import { words } from '../words.ts';

interface Visit extends ReportItem {
  readonly part: VisitPart;
}

/** Every visit to a geofence, or its part within the period. */
export const visits = defineReport<Visit>({
  key: 'visits',
  section: 'movement',
  title: words('Visits', 'Visitas', 'Visites'),
  text: words(
    'When vehicles entered and left geofences, and how long they stayed',
    'Cuándo entraron y salieron los vehículos de las geocercas, y cuánto se quedaron',
    'Quand les véhicules sont entrés dans les géobarrières et en sont sortis, et combien de temps ils sont restés',
  ),
  needs: 'geofences.read',
  isOfPositions: true,
  groupings: VISIT_GROUPINGS,
  options: [{ key: 'minimumS', title: words('Shortest visit', 'Visita más corta', 'Visite la plus courte'), value: 0 }],
  columns: [
    vehicleColumn,
    text('geofence', words('Geofence', 'Geocerca', 'Géobarrière'), ({ part }) => part.geofence.name),
    moment('start', words('Entered', 'Entrada', 'Entrée'), ({ part }) => part.inMs),
    moment('end', words('Left', 'Salida', 'Sortie'), ({ part }) => part.outMs),
    duration('onSite', words('On site', 'En el lugar', 'Sur place'), ({ part }) => (part.toMs - part.fromMs) / 1000),
  ],
  read: async function* (asked) {
    const { calendar, nowMs, sources } = asked;
    const minimum = asked.option('minimumS') * 1000;
    for await (const batch of sources.visits(asked)) {
      yield batch
        .filter(({ inMs, outMs }) => (outMs ?? nowMs) - inMs >= minimum)
        .map(part => ({
          id: `${part.vehicle.id}-${part.geofence.id}-${part.inMs}-${part.fromMs}`,
          vehicle: part.vehicle,
          geofence: part.geofence,
          part,
          day: calendar.dayOf(part.fromMs),
          evidence: part,
          isUnderWay: part.outMs === null,
        }));
    }
  },
});
