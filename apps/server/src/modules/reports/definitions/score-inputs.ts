import { PERFORMANCE_KINDS, type PerformanceKind } from '@milepost/contract';
import { type DriverEvidence, readEvidence } from '../../logbook/performance/evidence.ts';
import { counts, readWeights } from '../../logbook/performance/performance.ts';
import { readDisputes } from '../../logbook/performance/replies.ts';
import { pointsOf } from '../../logbook/performance/score.ts';
import { readDriverTerms } from '../../logbook/settings/driver-terms.ts';
import { duration } from '../columns.ts';
import { defineReport, type ReportItem } from '../report.ts';
import { type Words, words } from '../words.ts';

interface ScoreInput extends ReportItem {
  readonly driver: string;
  readonly kind: PerformanceKind;
  readonly amount: number;
  readonly km: number;
  readonly weight: number;
}

const KINDS: Readonly<Record<PerformanceKind, Words>> = {
  speeding: words('Speeding', 'Exceso de velocidad', 'Excès de vitesse'),
  harsh: words('Harsh driving', 'Conducción brusca', 'Conduite brusque'),
  idling: words('Idling', 'Ralentí', 'Ralenti'),
  hours: words('Hours-of-service violations', 'Infracciones de horas de servicio', 'Infractions aux heures de service'),
  certification: words('Late certifications', 'Certificaciones tardías', 'Certifications tardives'),
  unidentified: words('Unidentified driving', 'Conducción no identificada', 'Conduite non identifiée'),
  punctuality: words('Late arrivals at tasks', 'Llegadas tarde a tareas', 'Arrivées en retard aux tâches'),
};

const NOTHING: Pick<DriverEvidence, 'items' | 'km'> = { items: [], km: new Map() };

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
      of: ({ kind }, { language }) => KINDS[kind][language],
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
  read: async function* ({ calendar, from, nowMs, session, sources, to }) {
    const { parts } = sources;
    const period = { calendar, from, to };
    const { disputes, evidence, terms, weights } = await sources.db.asAccount(session.accountId, async trx => {
      const seen = (await readDriverTerms(trx, null)).filter(
        ({ archived, departmentId, driverId, userId }) =>
          !archived && parts.visibility.seesDriver(session, { id: driverId, departmentId, userId }),
      );
      return {
        terms: seen,
        evidence: await readEvidence(trx, session.accountId, seen, period, parts, nowMs),
        weights: await readWeights(trx),
        disputes: await readDisputes(trx),
      };
    });
    yield terms.flatMap(({ driverId, name }) => {
      const { items, km } = evidence.get(driverId) ?? NOTHING;
      const driven = [...km.values()].reduce((sum, each) => sum + each, 0);
      const counted = items.filter(item => counts(item, disputes.get(driverId)));
      return PERFORMANCE_KINDS.flatMap((kind): ScoreInput[] => {
        const amount = counted.reduce((sum, item) => sum + (item.kind === kind ? item.amount : 0), 0);
        if (amount === 0) return [];
        return [
          {
            ...{ id: `${driverId}-${kind}`, vehicle: null, day: null, drivers: [{ id: driverId, name }] },
            ...{ driver: name, kind, amount, km: driven, weight: weights[kind] },
          },
        ];
      });
    });
  },
});
