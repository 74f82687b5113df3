import type { FixDoubt, Language } from '@milepost/contract';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { doubtsFromBits } from '../../../fleet/vehicle-state.ts';
import { countPositions } from '../../../tracks/count.ts';
import { turn } from '../../../workers/turns.ts';
import { pointsOf, type TrackPoint } from '../../history/track-files/points.ts';
import { driverColumn, moment, vehicleColumn } from '../columns.ts';
import { pointLines } from '../files/point-lines.ts';
import { type Asked, defineReport, momentOf, type ReportItem } from '../report.ts';
import { type Words, words } from '../words.ts';

/** Vehicles that one query counts. */
const BATCH = 25;

interface RoutePoint extends ReportItem {
  readonly vehicle: DirectoryEntry;
  readonly point: TrackPoint;
}

const ON = words('On', 'Encendido', 'Mis');
const OFF = words('Off', 'Apagado', 'Coupé');
const LATE = words('late', 'tardía', 'en retard');
const NO_FIX = words('no GPS fix', 'sin posición GPS', 'sans position GPS');
const DOUBTS: Readonly<Record<FixDoubt, Words>> = {
  'impossible-speed': words('impossible speed', 'velocidad imposible', 'vitesse impossible'),
  'impossible-time': words('impossible time', 'hora imposible', 'heure impossible'),
  'null-island': words('at 0°/0°', 'en 0°/0°', 'à 0°/0°'),
  'out-of-range': words('out of range', 'fuera de rango', 'hors limites'),
};

/** Every stored position, also those that came late or are in doubt, which their last column says. */
export const routePoints = defineReport<RoutePoint>({
  key: 'route-points',
  section: 'movement',
  title: words('Route points', 'Puntos de ruta', 'Points du trajet'),
  text: words(
    'Every position that each vehicle sent, also those that came late or are in doubt',
    'Cada posición que envió cada vehículo, también las que llegaron tarde o son dudosas',
    'Chaque position que chaque véhicule a envoyée, même arrivée en retard ou douteuse',
  ),
  isOfPositions: true,
  groupings: ['vehicle'],
  columns: [
    vehicleColumn,
    moment('time', words('Time', 'Hora', 'Heure'), ({ point }) => point.timeMs),
    {
      key: 'lat',
      title: words('Latitude', 'Latitud', 'Latitude'),
      type: 'coordinate',
      of: ({ point }) => point.lat,
    },
    {
      key: 'lon',
      title: words('Longitude', 'Longitud', 'Longitude'),
      type: 'coordinate',
      of: ({ point }) => point.lon,
    },
    {
      key: 'place',
      title: words('Place', 'Lugar', 'Lieu'),
      type: 'place',
      of: ({ point }, { sources }) => (isSomewhere(point) ? sources.placeOf(point) : null),
    },
    {
      key: 'speed',
      title: words('Speed', 'Velocidad', 'Vitesse'),
      type: 'speed',
      of: ({ point }) => point.speed,
    },
    {
      key: 'course',
      title: words('Course (°)', 'Rumbo (°)', 'Cap (°)'),
      type: 'number',
      of: ({ point }) => point.course,
    },
    {
      key: 'ignition',
      title: words('Ignition', 'Encendido', 'Contact'),
      type: 'text',
      of: ({ point: { ignition } }, { language }) => (ignition === null ? null : (ignition ? ON : OFF)[language]),
    },
    {
      key: 'odometer',
      title: words('Odometer', 'Odómetro', 'Odomètre'),
      type: 'distance',
      of: ({ point: { odometer }, vehicle }) => odometer && odometer + vehicle.odometerOffset,
    },
    driverColumn,
    {
      key: 'marks',
      title: words('Marks', 'Marcas', 'Mentions'),
      type: 'text',
      of: ({ point }, { language }) => marksIn(point, language) || null,
    },
  ],
  counts: async asked => {
    const { seesPosition, session, sources, vehicles } = asked;
    const counts = new Map<number, number>();
    if (seesPosition) {
      // What they may see depends on who drove.
      for (const vehicle of vehicles) {
        for await (const page of pagesOf(asked, vehicle)) {
          counts.set(vehicle.id, (counts.get(vehicle.id) ?? 0) + page.length);
        }
      }
      return counts;
    }
    const { fromMs, endMs } = spanOf(asked);
    for (let at = 0; at < vehicles.length; at += BATCH) {
      const ids = vehicles.slice(at, at + BATCH).map(({ id }) => id);
      const span = { from: new Date(fromMs), before: new Date(endMs) };
      const found = await sources.db.asAccount(session.accountId, trx => countPositions(trx, ids, span));
      for (const [id, count] of found) counts.set(id, count);
      await turn();
    }
    return counts;
  },
  lines: (asked, vehicle, style) => {
    const { fromMs, endMs } = spanOf(asked);
    const period = { from: new Date(fromMs), to: new Date(endMs - 1) };
    const texts = {
      ignition: (on: boolean) => (on ? ON : OFF)[asked.language],
      isSomewhere,
      marks: (point: Marked) => marksIn(point, asked.language),
    };
    return pointLines(asked, vehicle, period, { texts, style });
  },
  read: async function* (asked) {
    const { calendar, sources, vehicles } = asked;
    for (const vehicle of vehicles) {
      for await (const page of pagesOf(asked, vehicle)) {
        yield page.map(point => ({
          id: `${vehicle.id}-${point.timeMs}`,
          vehicle,
          point,
          day: calendar.dayOf(point.timeMs),
          drivers: sources.driversOf(vehicle, momentOf(point), point.rfid === null ? [] : [point.rfid]),
          evidence: { fromMs: point.timeMs, toMs: point.timeMs + 1000 },
        }));
      }
    }
  },
});

/** Milliseconds; the end is not included. */
const spanOf = ({ calendar, from, nowMs, to }: Asked) => {
  const fromMs: number = calendar.startOf(from);
  return { fromMs, endMs: Math.max(fromMs, Math.min(calendar.startOf(to + 1), nowMs)) };
};

/** A day at a time. */
function pagesOf(asked: Asked, vehicle: DirectoryEntry): AsyncIterable<readonly TrackPoint[]> {
  const { fromMs, endMs } = spanOf(asked);
  const period = { from: new Date(fromMs), to: new Date(endMs - 1) };
  return pointsOf(asked.sources.db, vehicle, period, asked.seesPosition ?? (() => true));
}

type Marked = Pick<TrackPoint, 'late' | 'valid' | 'doubts'>;

const isSomewhere = ({ doubts }: Pick<TrackPoint, 'doubts'>): boolean =>
  !doubtsFromBits(doubts).some(doubt => doubt === 'null-island' || doubt === 'out-of-range');

const marksIn = (point: Marked, language: Language): string =>
  marksOf(point)
    .map(mark => mark[language])
    .join(', ');

const marksOf = ({ doubts, late, valid }: Marked): Words[] => [
  ...(late ? [LATE] : []),
  ...(valid ? [] : [NO_FIX]),
  ...doubtsFromBits(doubts).map(doubt => DOUBTS[doubt]),
];
