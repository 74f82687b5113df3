import { PERFORMANCE_KINDS, type PerformanceKind } from '@milepost/contract';
import { pointsOf } from '../../logbook/performance/score.ts';
import { duration } from '../columns.ts';
import { defineReport, type ReportItem } from '../report.ts';
import { amountsOf, kmOf, readScored, SCORE_KINDS } from '../score-items.ts';
import { words } from '../words.ts';

interface ScoreInput extends ReportItem {
  readonly driver: string;
  readonly kind: PerformanceKind;
  readonly amount: number;
  readonly km: number;
  readonly weight: number;
}

/** What a driver's score is made of: 100 less the points of these rows. */
export const scoreInputs = defineReport<ScoreInput>({
  key: 'score-inputs',
  section: 'driving',
  title: words('Score inputs', 'Datos de la puntuación', 'Éléments du score'),
  text: words(
    'What counts for each driver’s score, how often it happened, and how many points it takes',
    'Qué cuenta para la puntuación de cada conductor, cuántas veces ocurrió y cuántos puntos resta',
    'Ce qui compte pour le score de chaque conducteur, combien de fois, et combien de points cela enlève',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: ['driver'],
  columns: [
    {
      key: 'driver',
      title: words('Driver', 'Conductor', 'Conducteur'),
      type: 'text',
      of: ({ driver }) => driver,
    },
    {
      key: 'what',
      title: words('What', 'Qué', 'Quoi'),
      type: 'text',
      of: ({ kind }, { language }) => SCORE_KINDS[kind][language],
    },
    {
      key: 'events',
      title: words('Events', 'Eventos', 'Événements'),
      type: 'count',
      of: ({ amount, kind }) => (kind === 'idling' ? null : amount),
      total: 'sum',
    },
    duration('idling', words('Idle', 'Ralentí', 'Ralenti'), ({ amount, kind }) =>
      kind === 'idling' ? amount * 3600 : null,
    ),
    {
      key: 'driven',
      title: words('Driven', 'Recorrido', 'Parcouru'),
      type: 'distance',
      of: ({ km }) => km * 1000,
    },
    {
      key: 'weight',
      title: words('Weight', 'Peso', 'Poids'),
      type: 'number',
      of: ({ weight }) => weight,
    },
    {
      key: 'points',
      title: words('Points', 'Puntos', 'Points'),
      type: 'number',
      of: ({ amount, kind, km, weight }) => pointsOf({ kind, amount }, { [kind]: weight } as never, km),
      total: 'sum',
    },
  ],
  read: async function* (asked) {
    const { drivers, weights } = await readScored(asked);
    yield drivers.flatMap(driver => {
      const { driverId, items, name } = driver;
      const amounts = amountsOf(items);
      return PERFORMANCE_KINDS.flatMap((kind): ScoreInput[] => {
        const amount = amounts[kind];
        if (amount === 0) return [];
        return [
          {
            ...{ id: `${driverId}-${kind}`, vehicle: null, day: null, drivers: [{ id: driverId, name }] },
            ...{ driver: name, kind, amount, km: kmOf(driver), weight: weights[kind] },
          },
        ];
      });
    });
  },
});
