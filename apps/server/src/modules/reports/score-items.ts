import { PERFORMANCE_KINDS, type PerformanceKind, type PerformanceWeights } from '@milepost/contract';
import type { EvidenceItem } from '../logbook/performance/evidence.ts';
import { readEvidence } from '../logbook/performance/evidence.ts';
import { counts, readWeights } from '../logbook/performance/performance.ts';
import { readDisputes } from '../logbook/performance/replies.ts';
import { readDriverTerms } from '../logbook/settings/driver-terms.ts';
import type { Asked } from './report.ts';
import { type Words, words } from './words.ts';

export const SCORE_KINDS: Readonly<Record<PerformanceKind, Words>> = {
  speeding: words('Speeding', 'Exceso de velocidad', 'Excès de vitesse'),
  harsh: words('Harsh driving', 'Conducción brusca', 'Conduite brusque'),
  idling: words('Idling', 'Ralentí', 'Ralenti'),
  hours: words('Hours-of-service violations', 'Infracciones de horas de servicio', 'Infractions aux heures de service'),
  certification: words('Late certifications', 'Certificaciones tardías', 'Certifications tardives'),
  unidentified: words('Unidentified driving', 'Conducción no identificada', 'Conduite non identifiée'),
  punctuality: words('Late arrivals at tasks', 'Llegadas tarde a tareas', 'Arrivées en retard aux tâches'),
};

/** What counts for a driver's score in a period, without what is disputed, and how far they drove on each day. */
export interface Scored {
  readonly driverId: number;
  readonly name: string;
  readonly items: readonly EvidenceItem[];
  readonly km: ReadonlyMap<number, number>;
}

/** The drivers that the reader sees, with what counts for their scores. */
export async function readScored({
  calendar,
  from,
  nowMs,
  session,
  sources,
  to,
}: Pick<Asked, 'calendar' | 'from' | 'nowMs' | 'session' | 'sources' | 'to'>): Promise<{
  readonly drivers: readonly Scored[];
  readonly weights: PerformanceWeights;
}> {
  const { parts } = sources;
  return sources.db.asAccount(session.accountId, async trx => {
    const seen = (await readDriverTerms(trx, null)).filter(
      ({ archived, departmentId, driverId, userId }) =>
        !archived && parts.visibility.seesDriver(session, { id: driverId, departmentId, userId }),
    );
    const evidence = await readEvidence(trx, session.accountId, seen, { calendar, from, to }, parts, nowMs);
    const disputes = await readDisputes(trx);
    return {
      weights: await readWeights(trx),
      drivers: seen.map(({ driverId, name }) => ({
        ...{ driverId, name },
        items: (evidence.get(driverId)?.items ?? []).filter(item => counts(item, disputes.get(driverId))),
        km: evidence.get(driverId)?.km ?? new Map(),
      })),
    };
  });
}

export const kmOf = ({ km }: Pick<Scored, 'km'>): number => [...km.values()].reduce((sum, each) => sum + each, 0);

export const amountsOf = (items: readonly EvidenceItem[]): Readonly<Record<PerformanceKind, number>> => {
  const amounts = Object.fromEntries(PERFORMANCE_KINDS.map(kind => [kind, 0])) as Record<PerformanceKind, number>;
  for (const { amount, kind } of items) amounts[kind] += amount;
  return amounts;
};
