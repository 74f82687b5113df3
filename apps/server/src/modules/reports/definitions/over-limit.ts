import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { driverColumn, duration, moment, topSpeed, vehicleColumn } from '../columns.ts';
import { type Readings, readingsOf } from '../readings.ts';
import { type Asked, defineReport, type ReportItem, TRIP_GROUPINGS } from '../report.ts';
import { type LimitAt, type SpeedLimit, speedLimits } from '../speed-limits.ts';
import { words } from '../words.ts';

interface OverLimit extends ReportItem {
  readonly limit: SpeedLimit;
  readonly fromMs: number;
  readonly toMs: number;
  readonly top: Readings;
}

/** What a report says of the speed holds until the next one, so long at most. */
const HOLDS_MS = 60_000;
const OWN = words('The vehicle’s own', 'El propio del vehículo', 'Celle du véhicule');

/** Whenever a vehicle was faster than a geofence or the vehicle itself allows, as its positions say. */
export const overLimit = defineReport<OverLimit>({
  key: 'over-limit',
  section: 'driving',
  title: words('Speeding over limits', 'Exceso sobre los límites', 'Dépassements des limites'),
  text: words(
    'Whenever a vehicle was faster than its own limit or that of a geofence it was in',
    'Cada vez que un vehículo superó su propio límite o el de una geocerca en la que estaba',
    'Chaque fois qu’un véhicule a dépassé sa propre limite ou celle d’une zone où il se trouvait',
  ),
  needs: 'geofences.read',
  isOfPositions: true,
  groupings: TRIP_GROUPINGS,
  options: [
    {
      key: 'minimumS',
      title: words('Shortest time over the limit', 'Menor tiempo sobre el límite', 'Dépassement le plus court'),
      value: 30,
    },
  ],
  columns: [
    vehicleColumn,
    driverColumn,
    moment('start', words('Start', 'Inicio', 'Début'), ({ fromMs }) => fromMs),
    moment('end', words('End', 'Fin', 'Fin'), ({ toMs }) => toMs),
    duration('length', words('Duration', 'Duración', 'Durée'), ({ fromMs, toMs }) => (toMs - fromMs) / 1000),
    {
      key: 'limit',
      title: words('Limit', 'Límite', 'Limite'),
      type: 'speed',
      of: ({ limit }) => limit.speed,
    },
    {
      key: 'limitOf',
      title: words('Limit of', 'Límite de', 'Limite de'),
      type: 'text',
      of: ({ limit }, { language }) => limit.geofence?.name ?? OWN[language],
    },
    topSpeed(({ top }) => top.speed),
    {
      key: 'over',
      title: words('Over by', 'Exceso', 'Dépassement'),
      type: 'speed',
      of: ({ limit, top }) => (top.speed ?? 0) - limit.speed,
      total: 'max',
    },
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ top }, { sources }) => sources.placeOf(top),
    },
  ],
  read: async function* (asked) {
    const limitsOf = await speedLimits(asked);
    for (const vehicle of asked.vehicles) {
      const limitAt = limitsOf(vehicle);
      if (limitAt) yield* timesOver(asked, vehicle, limitAt);
    }
  },
});

/** A stretch under way: another limit begins another one. */
interface Stretch {
  readonly limit: SpeedLimit;
  readonly fromMs: number;
  lastMs: number;
  top: Readings;
  readonly cards: Set<string>;
}

async function* timesOver(asked: Asked, vehicle: DirectoryEntry, limitAt: LimitAt): AsyncGenerator<OverLimit[]> {
  const shortestMs = asked.option('minimumS') * 1000;
  let stretch: Stretch | null = null;
  const ended = ({ cards, fromMs, lastMs, limit, top }: Stretch, nextMs: number): OverLimit[] => {
    const toMs = Math.min(nextMs, lastMs + HOLDS_MS);
    if (toMs - fromMs < shortestMs) return [];
    return [
      {
        ...{ id: `${vehicle.id}-${fromMs}`, vehicle, limit, fromMs, toMs, top },
        day: asked.calendar.dayOf(fromMs),
        drivers: asked.sources.driversOf(vehicle, { from: fromMs, to: toMs }, [...cards]),
        evidence: { fromMs, toMs },
      },
    ];
  };
  let endMs = 0;
  for await (const page of readingsOf(asked, vehicle)) {
    const found: OverLimit[] = [];
    for (const reading of page) {
      const { isBelieved, lat, lon, rfid, speed, timeMs } = reading;
      if (!isBelieved || speed === null) continue;
      endMs = timeMs;
      const limit = speed > 0 ? limitAt(lat, lon) : null;
      const isOver = limit !== null && speed > limit.speed;
      if (stretch) {
        const isSame = isOver && limit.geofence?.id === stretch.limit.geofence?.id;
        if (!isSame || timeMs - stretch.lastMs > HOLDS_MS) {
          found.push(...ended(stretch, timeMs));
          stretch = null;
        }
      }
      if (!isOver) continue;
      stretch ??= { limit, fromMs: timeMs, lastMs: timeMs, top: reading, cards: new Set() };
      stretch.lastMs = timeMs;
      if (speed > (stretch.top.speed ?? 0)) stretch.top = reading;
      if (rfid !== null) stretch.cards.add(rfid);
    }
    yield found;
  }
  if (stretch) yield ended(stretch, endMs);
}
