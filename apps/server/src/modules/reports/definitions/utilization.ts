import { count, distance, duration, quotient, shareOf, vehicleColumn } from '../columns.ts';
import { defineReport, VEHICLE_GROUPINGS } from '../report.ts';
import { type VehiclePeriod, vehiclePeriods } from '../vehicle-periods.ts';
import { words } from '../words.ts';

/** On how many days each vehicle was used: it drove, and covered 1 km or more, as on the overview. */
export const utilization = defineReport<VehiclePeriod>({
  key: 'utilization',
  section: 'fleet',
  title: words('Utilization', 'Utilización', 'Utilisation'),
  text: words(
    'On how many of its days with data each vehicle drove 1 km or more',
    'En cuántos de sus días con datos cada vehículo recorrió 1 km o más',
    'Combien de ses jours avec données chaque véhicule a roulé 1 km ou plus',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  opensBy: null,
  chart: 'utilization',
  columns: [
    vehicleColumn,
    count('days', words('Days with data', 'Días con datos', 'Jours avec données'), ({ days }) => days),
    count('inUse', words('Days in use', 'Días en uso', 'Jours d’utilisation'), ({ daysInUse }) => daysInUse),
    shareOf(
      'utilization',
      words('Utilization', 'Utilización', 'Utilisation'),
      ({ days, daysInUse }) => [daysInUse, days],
      ['inUse', ['days']],
    ),
    duration('driving', words('Driving', 'Conducción', 'Conduite'), ({ sums }) => sums.movingS),
    {
      key: 'drivingPerDay',
      title: words('Driving per day in use', 'Conducción por día en uso', 'Conduite par jour d’utilisation'),
      type: 'duration',
      of: ({ sums, daysInUse }) => quotient(sums.movingS, daysInUse),
      total: total => quotient(total('driving') ?? 0, total('inUse') ?? 0),
    },
    distance('distance', words('Distance', 'Distancia', 'Distance'), ({ sums }) => sums.distanceM),
    count('stops', words('Stops', 'Paradas', 'Arrêts'), ({ sums }) => sums.stops),
  ],
  read: vehiclePeriods,
});
