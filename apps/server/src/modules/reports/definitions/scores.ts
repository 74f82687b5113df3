import type { PerformanceKind } from '@milepost/contract';
import { pointsOf } from '../../logbook/performance/score.ts';
import { type Column, defineReport, type ReportItem } from '../report.ts';
import { amountsOf, kmOf, readScored, SCORE_KINDS } from '../score-items.ts';
import { words } from '../words.ts';

interface DriverScore extends ReportItem {
  readonly driver: string;
  readonly km: number;
  readonly amounts: Readonly<Record<PerformanceKind, number>>;
  /** Each event times its weight. */
  readonly weighed: number;
}

const BEST = 100;
const PER_M = 1_000_000;

/** What is left of 100; nothing is known without a kilometer. */
const scoreOf = (weighed: number, metres: number): number | null =>
  metres > 0 ? Math.min(BEST, Math.max(0, BEST - (weighed * PER_M) / metres)) : null;

const events = (kind: PerformanceKind): Column<DriverScore> => ({
  key: kind,
  title: SCORE_KINDS[kind],
  type: kind === 'idling' ? 'duration' : 'count',
  of: ({ amounts }) => (kind === 'idling' ? amounts[kind] * 3600 : amounts[kind]),
  total: 'sum',
});

/** Each driver's score, and that of all of them together: what all did, over all that they drove. */
export const scores = defineReport<DriverScore>({
  key: 'scores',
  section: 'driving',
  title: words('Scores', 'Puntuaciones', 'Scores'),
  text: words(
    'Each driver’s score, and what counted for it',
    'La puntuación de cada conductor, y qué contó para ella',
    'Le score de chaque conducteur, et ce qui a compté',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: [],
  columns: [
    { key: 'driver', title: words('Driver', 'Conductor', 'Conducteur'), type: 'text', of: ({ driver }) => driver },
    {
      key: 'score',
      title: words('Score', 'Puntuación', 'Score'),
      type: 'number',
      of: ({ km, weighed }) => scoreOf(weighed, km * 1000),
      total: total => scoreOf(total('weighed') ?? 0, total('driven') ?? 0),
    },
    {
      key: 'driven',
      title: words('Driven', 'Recorrido', 'Parcouru'),
      type: 'distance',
      of: ({ km }) => km * 1000,
      total: 'sum',
    },
    events('speeding'),
    events('harsh'),
    events('idling'),
    events('hours'),
    events('certification'),
    events('unidentified'),
    events('punctuality'),
    {
      key: 'weighed',
      title: words('Weighted events', 'Eventos ponderados', 'Événements pondérés'),
      type: 'number',
      of: ({ weighed }) => weighed,
      total: 'sum',
    },
  ],
  read: async function* (asked) {
    const { drivers, weights } = await readScored(asked);
    yield drivers.map((driver): DriverScore => {
      const { driverId, items, name } = driver;
      return {
        ...{ id: String(driverId), vehicle: null, day: null, drivers: [{ id: driverId, name }], driver: name },
        km: kmOf(driver),
        amounts: amountsOf(items),
        weighed: items.reduce((sum, item) => sum + pointsOf(item, weights, 1000), 0),
      };
    });
  },
});
