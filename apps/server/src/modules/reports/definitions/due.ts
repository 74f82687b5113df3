import { daysRemaining, may } from '@milepost/contract';
import { sql } from 'kysely';
import { text, vehicleColumn } from '../columns.ts';
import { documentWords } from '../known-words.ts';
import { defineReport, type ReportItem } from '../report.ts';
import { words } from '../words.ts';

interface Due extends ReportItem {
  readonly kind: string;
  readonly title: string | null;
  readonly days: number;
}

const SUBSCRIPTION = words('Subscription', 'Suscripción', 'Abonnement');

/** Documents and subscriptions of vehicles that end by the last day of the period, and those that are over. */
export const due = defineReport<Due>({
  key: 'due',
  section: 'fleet',
  title: words(
    'Subscriptions and documents due',
    'Suscripciones y documentos por vencer',
    'Abonnements et documents à échéance',
  ),
  text: words(
    'What ends by the last day of the period, and what is over',
    'Lo que vence hasta el último día del período, y lo vencido',
    'Ce qui se termine d’ici au dernier jour de la période, et ce qui est échu',
  ),
  needs: 'organisation.read',
  isOfPositions: false,
  groupings: ['vehicle', 'folder', 'day', 'week', 'month'],
  opensBy: null,
  looksAhead: true,
  columns: [
    vehicleColumn,
    {
      key: 'kind',
      title: words('Kind', 'Tipo', 'Type'),
      type: 'text',
      of: ({ kind }, { language }) => documentWords(kind, language) ?? SUBSCRIPTION[language],
    },
    text('title', words('Title', 'Título', 'Titre'), ({ title }) => title),
    {
      key: 'ends',
      title: words('Ends', 'Vence', 'Échéance'),
      type: 'day',
      of: ({ day }, { calendar }) => (day === null ? null : calendar.dateOf(day)),
    },
    {
      key: 'days',
      title: words('Days left', 'Días restantes', 'Jours restants'),
      type: 'number',
      of: ({ days }) => days,
    },
  ],
  read: async function* ({ calendar, nowMs, session, sources, to, vehicles }) {
    const today = calendar.dayOf(nowMs);
    const byId = new Map(vehicles.map(vehicle => [vehicle.id, vehicle]));
    const ids = [...byId.keys()];
    const { documents, subscriptions } = await sources.db.asAccount(session.accountId, async trx => ({
      documents: await trx
        .selectFrom('document')
        .select(['id', 'vehicle_id', 'kind', 'title', 'expires_on'])
        .where(sql<boolean>`vehicle_id = any (${ids}::int4[])`)
        .where('expires_on', '<=', calendar.dateOf(to))
        .execute(),
      subscriptions: may(session, 'subscriptions.read')
        ? await trx
            .selectFrom('subscription')
            .innerJoin('vehicle', 'vehicle.imei', 'subscription.imei')
            .select(['subscription.id', 'vehicle.id as vehicle_id', 'subscription.created_at'])
            .where(sql<boolean>`vehicle.id = any (${ids}::int4[])`)
            .execute()
        : [],
    }));
    const items: Due[] = [];
    for (const { expires_on, id, kind, title, vehicle_id } of documents) {
      if (expires_on === null || vehicle_id === null) continue;
      const day = calendar.numberOf(expires_on);
      items.push({ id: `document-${id}`, vehicle: byId.get(vehicle_id) ?? null, day, days: day - today, kind, title });
    }
    for (const { created_at, id, vehicle_id } of subscriptions) {
      const days = daysRemaining(created_at.getTime(), nowMs);
      if (today + days > to) continue;
      items.push({
        id: `subscription-${id}`,
        vehicle: byId.get(vehicle_id) ?? null,
        day: today + days,
        days,
        kind: '',
        title: null,
      });
    }
    yield items.toSorted((a, b) => a.days - b.days || a.id.localeCompare(b.id));
  },
});
