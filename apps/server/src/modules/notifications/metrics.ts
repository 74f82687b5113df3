import type { Registry } from 'prom-client';
import type { Databases } from '../../db/database.ts';
import { showGauges } from '../../lifecycle/gauges.ts';

/** What people are still to be told of alerts: by email, webhook and push notification. */
export function showDeliveries(registry: Registry, { pool }: Pick<Databases, 'pool'>): void {
  showGauges(
    registry,
    {
      milepost_alert_deliveries_waiting: {
        help: 'Deliveries of alerts that wait, or are tried again',
        labelNames: ['channel'],
      },
      milepost_alert_delivery_oldest_seconds: {
        help: 'How long the oldest alert that waits to be delivered has waited',
        labelNames: ['channel'],
      },
    },
    async () => {
      // What is left for a later digest was noted for then.
      const { rows } = await pool.query<{ channel: string; count: number; oldest: number }>(
        `select channel, count(noted_at)::int as count,
            greatest(0, coalesce(extract(epoch from now() - min(noted_at)), 0))::float8 as oldest
          from (values ('email'), ('webhook'), ('push')) as every (channel)
          left join (
            select 'email', noted_at from alert_mail where sent_at is null and given_up_at is null
            union all select 'webhook', noted_at from webhook_delivery where next_at is not null
            union all select 'push', noted_at from push_delivery
          ) as waiting (channel, noted_at) using (channel)
          group by channel`,
      );
      const samples = (value: 'count' | 'oldest') =>
        rows.map(({ channel, ...row }) => ({ labels: { channel }, value: row[value] }));
      return {
        milepost_alert_deliveries_waiting: samples('count'),
        milepost_alert_delivery_oldest_seconds: samples('oldest'),
      };
    },
  );
}
