import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { count, moment, vehicleColumn } from '../columns.ts';
import { type FuelChange, type FuelReading, fuelChanges } from '../fuel-changes.ts';
import { readingsOf } from '../readings.ts';
import { type Asked, defineReport, type ReportItem, VEHICLE_GROUPINGS } from '../report.ts';
import { type Words, words } from '../words.ts';

interface Fuel extends ReportItem {
  /** Null: why there is none. */
  readonly change: FuelChange | null;
  readonly note: Words | null;
}

/** Percent of the tank. */
const LEAST = 8;

const KINDS = {
  fill: words('Fill', 'Carga', 'Plein'),
  drop: words('Drop with the engine off', 'Caída con el motor apagado', 'Baisse moteur coupé'),
} as const;
const NO_SENSOR = words('No fuel level reported', 'No se reportó nivel de combustible', 'Aucun niveau transmis');
const NO_IGNITION = words(
  'The tracker doesn’t report the ignition: drops are not known',
  'El rastreador no informa el encendido: no se conocen las caídas',
  'Le traceur ne transmet pas le contact : les baisses sont inconnues',
);
const NO_CHANGE = words('No fill or drop', 'Sin cargas ni caídas', 'Ni plein ni baisse');

/** Fills and drops, as far as trackers report the level. In percent: how much a tank holds is not known. */
export const fuel = defineReport<Fuel>({
  key: 'fuel',
  section: 'fleet',
  title: words('Fuel fills and drops', 'Cargas y caídas de combustible', 'Pleins et baisses de carburant'),
  text: words(
    'When the fuel level rose, or fell with the engine off, in percent of the tank',
    'Cuándo el nivel subió, o bajó con el motor apagado, en porcentaje del tanque',
    'Quand le niveau a monté, ou baissé moteur coupé, en pourcentage du réservoir',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  columns: [
    vehicleColumn,
    {
      key: 'kind',
      title: words('What', 'Qué', 'Quoi'),
      type: 'text',
      of: ({ change, note }, { language }) =>
        change === null ? (note?.[language] ?? null) : KINDS[change.kind][language],
    },
    moment('start', words('From', 'Desde', 'De'), ({ change }) => change?.fromMs ?? null),
    moment('end', words('To', 'Hasta', 'À'), ({ change }) => change?.toMs ?? null),
    {
      key: 'before',
      title: words('Before (%)', 'Antes (%)', 'Avant (%)'),
      type: 'number',
      of: ({ change }) => change?.before ?? null,
    },
    {
      key: 'after',
      title: words('After (%)', 'Después (%)', 'Après (%)'),
      type: 'number',
      of: ({ change }) => change?.after ?? null,
    },
    {
      key: 'change',
      title: words('Change (% of the tank)', 'Cambio (% del tanque)', 'Écart (% du réservoir)'),
      type: 'number',
      of: ({ change }) => change && change.after - change.before,
    },
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ change }, { sources }) => sources.placeOf(change),
    },
    count('fills', words('Fills', 'Cargas', 'Pleins'), ({ change }) => change && Number(change.kind === 'fill')),
    count('drops', words('Drops', 'Caídas', 'Baisses'), ({ change }) => change && Number(change.kind === 'drop')),
  ],
  read: async function* (asked) {
    for (const vehicle of asked.vehicles) yield await changesOf(asked, vehicle);
  },
});

async function changesOf(asked: Asked, vehicle: DirectoryEntry): Promise<Fuel[]> {
  const levels: FuelReading[] = [];
  for await (const page of readingsOf(asked, vehicle)) {
    for (const { fuel: level, ignition, lat, lon, timeMs } of page) {
      if (level !== null) levels.push({ timeMs, fuel: level, ignition, lat, lon });
    }
  }
  const note = (words: Words, of: string): Fuel => ({
    id: `${vehicle.id}-${of}`,
    vehicle,
    day: asked.from,
    change: null,
    note: words,
  });
  if (levels.length === 0) return [note(NO_SENSOR, 'none')];
  const changes = fuelChanges(levels, LEAST).map(
    (change): Fuel => ({
      id: `${vehicle.id}-${change.fromMs}`,
      vehicle,
      day: asked.calendar.dayOf(change.fromMs),
      evidence: { fromMs: change.fromMs, toMs: change.toMs },
      change,
      note: null,
    }),
  );
  const hasIgnition = levels.some(({ ignition }) => ignition !== null);
  return [
    ...(hasIgnition ? [] : [note(NO_IGNITION, 'ignition')]),
    ...(changes.length === 0 && hasIgnition ? [note(NO_CHANGE, 'quiet')] : changes),
  ];
}
