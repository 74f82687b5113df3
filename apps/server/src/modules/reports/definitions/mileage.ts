import { count, distance, duration, quotient, topSpeed, vehicleColumn } from '../columns.ts';
import { defineReport, VEHICLE_GROUPINGS } from '../report.ts';
import { type VehiclePeriod, vehiclePeriods } from '../vehicle-periods.ts';
import { words } from '../words.ts';

/** How far each vehicle went, and how long its engine ran. */
export const mileage = defineReport<VehiclePeriod>({
  key: 'mileage',
  section: 'fleet',
  title: words('Mileage and engine hours', 'Kilometraje y horas de motor', 'Kilométrage et heures moteur'),
  text: words(
    'How far each vehicle went, and how long its engine ran',
    'Cuánto recorrió cada vehículo y cuánto tiempo funcionó su motor',
    'Combien chaque véhicule a roulé, et combien de temps son moteur a tourné',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  opensBy: null,
  columns: [
    vehicleColumn,
    distance('distance', words('Distance', 'Distancia', 'Distance'), ({ sums }) => sums.distanceM),
    duration(
      'engine',
      words('Engine hours', 'Horas de motor', 'Heures moteur'),
      ({ sums }) => sums.movingS + sums.idlingS,
    ),
    duration('driving', words('Driving', 'Conducción', 'Conduite'), ({ sums }) => sums.movingS),
    duration('idling', words('Idle', 'Ralentí', 'Ralenti'), ({ sums }) => sums.idlingS),
    count('days', words('Days with data', 'Días con datos', 'Jours avec données'), ({ days }) => days),
    {
      key: 'perDay',
      title: words('Distance per day', 'Distancia por día', 'Distance par jour'),
      type: 'distance',
      of: ({ sums, days }) => quotient(sums.distanceM, days),
      total: total => quotient(total('distance') ?? 0, total('days') ?? 0),
    },
    topSpeed(({ sums }) => sums.maxSpeedMps),
  ],
  read: vehiclePeriods,
});
