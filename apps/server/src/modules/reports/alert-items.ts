import type { AlertKind, Language, RuleTriggerKind, Severity } from '@milepost/contract';
import { sql } from 'kysely';
import { REQUEST } from '../alerts/audience.ts';
import { type AlertRow, selectAlerts } from '../alerts/store.ts';
import { TEXTS } from '../notifications/texts/texts.ts';
import { driverColumn, duration, moment, text, vehicleColumn } from './columns.ts';
import type { Asked, Column, ReportItem } from './report.ts';
import { words } from './words.ts';

export interface AlertItem extends ReportItem {
  readonly alert: AlertRow & { readonly kind: AlertKind | string; readonly severity: Severity | string };
  /** Until someone acknowledged it; null if nobody has, also of one that nobody had to because it came late. */
  readonly responseS: number | null;
}

/** What an alert is called: the rule that made it, or what the tracker reported. */
export const alertName = (
  { event, kind, rule }: Pick<AlertItem['alert'], 'event' | 'kind' | 'rule'>,
  language: Language,
) => rule?.name ?? TEXTS[language].event[event ?? ''] ?? TEXTS[language].kind[kind as AlertKind];

/** Which vehicle and driver, when, for how long, and where; with `figures` of alerts of one kind after the duration. */
export const alertColumns = (...figures: readonly Column<AlertItem>[]): readonly Column<AlertItem>[] => [
  vehicleColumn,
  driverColumn,
  moment('start', words('Start', 'Inicio', 'Début'), ({ alert }) => alert.opened_at.getTime()),
  moment('end', words('End', 'Fin', 'Fin'), ({ alert }) => alert.closed_at?.getTime() ?? null),
  // Up to its last report if it goes on.
  duration(
    'length',
    words('Duration', 'Duración', 'Durée'),
    ({ alert: { closed_at, opened_at, updated_at } }) =>
      Math.max(0, (closed_at ?? updated_at).getTime() - opened_at.getTime()) / 1000,
  ),
  ...figures,
  {
    key: 'place',
    title: words('Place', 'Lugar', 'Lieu'),
    type: 'place',
    of: ({ alert: { lat, lon } }, { sources }) => sources.placeOf(lat === null || lon === null ? null : { lat, lon }),
  },
  text('rule', words('Rule', 'Regla', 'Règle'), ({ alert }) => alert.rule?.name ?? null),
  text('by', words('Acknowledged by', 'Confirmada por', 'Confirmée par'), ({ alert }) => alert.acknowledger),
];

/** Alerts that began in the period, of one kind if it is named, with those of rules about `triggers`; requests for a second person are none. */
export async function* alertItems(
  asked: Asked,
  kind?: AlertKind,
  triggers: readonly RuleTriggerKind[] = [],
): AsyncGenerator<AlertItem[]> {
  const { calendar, from, session, sources, to, vehicles } = asked;
  const byId = new Map(vehicles.map(vehicle => [vehicle.id, vehicle]));
  const order = new Map(vehicles.map(({ id }, place) => [id, place]));
  const rows = await sources.db.asAccount(session.accountId, trx =>
    selectAlerts(trx)
      .where(sql<boolean>`alert.vehicle_id = any (${[...byId.keys()]}::int4[])`)
      .where('alert.opened_at', '>=', new Date(calendar.startOf(from)))
      .where('alert.opened_at', '<', new Date(calendar.startOf(to + 1)))
      .where('alert.kind', '<>', REQUEST)
      .$if(kind !== undefined || triggers.length > 0, query =>
        query.where(sql<boolean>`(alert.kind = ${kind ?? ''} or exists (
          select from rule where rule.id = alert.rule_id and rule.trigger ->> 'kind' = any (${triggers}::text[])))`),
      )
      .orderBy('alert.opened_at')
      .orderBy('alert.id')
      .execute(),
  );
  yield rows
    .map((alert): AlertItem => {
      const { acknowledged_at, acknowledged_by, closed_at, driver_id, driver_name, id, opened_at, vehicle_id } = alert;
      const endMs = (closed_at ?? alert.updated_at).getTime();
      const acknowledgedAt = acknowledged_by === null ? null : acknowledged_at;
      return {
        id,
        alert,
        vehicle: byId.get(vehicle_id ?? 0) ?? null,
        drivers: driver_id === null ? [] : [{ id: driver_id, name: driver_name ?? '' }],
        day: calendar.dayOf(opened_at.getTime()),
        evidence: { fromMs: opened_at.getTime(), toMs: Math.max(opened_at.getTime() + 1000, endMs) },
        responseS: acknowledgedAt && Math.max(0, acknowledgedAt.getTime() - opened_at.getTime()) / 1000,
      };
    })
    .toSorted((a, b) => (order.get(a.alert.vehicle_id ?? 0) ?? 0) - (order.get(b.alert.vehicle_id ?? 0) ?? 0));
}
