import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { count, duration, moment, vehicleColumn } from '../columns.ts';
import { readingsOf } from '../readings.ts';
import { type Asked, defineReport, type ReportItem, VEHICLE_GROUPINGS } from '../report.ts';
import { type Words, words } from '../words.ts';

const HOUR_MS = 3_600_000;
/** A reading says nothing of later times: a tracker that measures is heard more often than this. */
const LASTS_MS = 15 * 60_000;

/** An hour of readings; without any, why there are none. */
export interface Cold extends ReportItem {
  readonly hourMs: number | null;
  readonly readings: number;
  readonly least: number | null;
  readonly sum: number;
  readonly most: number | null;
  readonly knownMs: number;
  readonly belowMs: number;
  readonly aboveMs: number;
  readonly note: Words | null;
}

const NONE = words('No temperature reported', 'No se reportó temperatura', 'Aucune température transmise');

/** The temperature of the cargo hour by hour, and how long it was outside of a range. */
export const coldChain = defineReport<Cold>({
  key: 'cold-chain',
  section: 'fleet',
  title: words('Cold chain', 'Cadena de frío', 'Chaîne du froid'),
  text: words(
    'Temperature hour by hour, and the time outside of a range',
    'Temperatura hora por hora, y el tiempo fuera de un rango',
    'Température heure par heure, et temps hors d’une plage',
  ),
  isOfPositions: true,
  groupings: VEHICLE_GROUPINGS,
  chart: 'outside',
  options: [
    { key: 'coldFrom', title: words('Not colder than', 'No más frío que', 'Pas plus froid que'), value: 0 },
    { key: 'coldTo', title: words('Not warmer than', 'No más cálido que', 'Pas plus chaud que'), value: 8 },
  ],
  columns: [
    vehicleColumn,
    moment('hour', words('Hour from', 'Hora desde', 'Heure à partir de'), ({ hourMs }) => hourMs),
    count('readings', words('Readings', 'Lecturas', 'Relevés'), ({ hourMs, readings }) => hourMs && readings),
    {
      key: 'least',
      title: words('Lowest (°C)', 'Mínima (°C)', 'Minimum (°C)'),
      type: 'number',
      of: ({ least }) => least,
    },
    {
      key: 'mean',
      title: words('Average (°C)', 'Media (°C)', 'Moyenne (°C)'),
      type: 'number',
      of: ({ readings, sum }) => (readings === 0 ? null : sum / readings),
    },
    {
      key: 'most',
      title: words('Highest (°C)', 'Máxima (°C)', 'Maximum (°C)'),
      type: 'number',
      of: ({ most }) => most,
      total: 'max',
    },
    duration(
      'known',
      words('Time measured', 'Tiempo medido', 'Temps mesuré'),
      ({ hourMs, knownMs }) => hourMs && knownMs / 1000,
    ),
    duration(
      'below',
      words('Too cold', 'Demasiado frío', 'Trop froid'),
      ({ belowMs, hourMs }) => hourMs && belowMs / 1000,
    ),
    duration(
      'above',
      words('Too warm', 'Demasiado cálido', 'Trop chaud'),
      ({ aboveMs, hourMs }) => hourMs && aboveMs / 1000,
    ),
    duration(
      'outside',
      words('Outside the range', 'Fuera del rango', 'Hors plage'),
      ({ aboveMs, belowMs, hourMs }) => hourMs && (aboveMs + belowMs) / 1000,
    ),
    {
      key: 'note',
      title: words('Note', 'Nota', 'Remarque'),
      type: 'text',
      of: ({ note }, { language }) => note?.[language] ?? null,
    },
  ],
  read: async function* (asked) {
    for (const vehicle of asked.vehicles) yield await hoursOf(asked, vehicle);
  },
});

async function hoursOf(asked: Asked, vehicle: DirectoryEntry): Promise<Cold[]> {
  const { calendar } = asked;
  const [low, high] = [asked.option('coldFrom'), asked.option('coldTo')];
  const hours = new Map<number, { -readonly [K in keyof Cold]: Cold[K] }>();
  const hourAt = (ms: number) => {
    const hourMs = Math.floor(ms / HOUR_MS) * HOUR_MS;
    const known = hours.get(hourMs) ?? {
      id: `${vehicle.id}-${hourMs}`,
      vehicle,
      hourMs,
      day: calendar.dayOf(Math.max(hourMs, calendar.startOf(asked.from))),
      evidence: { fromMs: hourMs, toMs: hourMs + HOUR_MS },
      readings: 0,
      least: null,
      sum: 0,
      most: null,
      knownMs: 0,
      belowMs: 0,
      aboveMs: 0,
      note: null,
    };
    hours.set(hourMs, known);
    return known;
  };
  let last: { readonly timeMs: number; readonly value: number } | null = null;
  for await (const page of readingsOf(asked, vehicle)) {
    for (const { temperature: value, timeMs } of page) {
      if (value === null) continue;
      if (last && timeMs - last.timeMs <= LASTS_MS) {
        // What was measured holds until the next reading, in each hour its part.
        for (let at = last.timeMs; at < timeMs; ) {
          const next = Math.min(timeMs, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS);
          const hour = hourAt(at);
          hour.knownMs += next - at;
          if (last.value < low) hour.belowMs += next - at;
          else if (last.value > high) hour.aboveMs += next - at;
          at = next;
        }
      }
      const hour = hourAt(timeMs);
      hour.readings++;
      hour.sum += value;
      hour.least = Math.min(hour.least ?? value, value);
      hour.most = Math.max(hour.most ?? value, value);
      last = { timeMs, value };
    }
  }
  if (hours.size > 0) return [...hours.values()];
  const nothing = { readings: 0, least: null, sum: 0, most: null, knownMs: 0, belowMs: 0, aboveMs: 0 };
  return [{ id: `${vehicle.id}`, vehicle, hourMs: null, day: asked.from, ...nothing, note: NONE }];
}
