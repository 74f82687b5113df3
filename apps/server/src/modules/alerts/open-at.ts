import type { listAlerts, RouteAnswer } from '@milepost/contract';
import { type Expression, sql } from 'kysely';
import type { Databases } from '../../db/database.ts';
import type { Directory } from '../../fleet/directory.ts';
import type { Visibility } from '../../fleet/visibility.ts';
import type { Session } from '../../http/session.ts';
import type { ReportContext } from '../../ingest/report.ts';
import { isForSql } from './audience.ts';
import { alertsInSight } from './in-sight.ts';
import { seesOther, selectAlerts, toAlert, vehicleOf } from './store.ts';

/** As many as the list of open alerts. */
const LIMIT = 500;

export interface OpenAtParts {
  readonly db: Databases;
  readonly directory: Directory;
  readonly visibility: Visibility;
  readonly reportContext: Pick<ReportContext, 'placeOf'>;
}

/**
 * The alerts that were open at a moment, as the list of open alerts would have shown them: they had begun, and nobody
 * had acknowledged them. Those that arrived when they had ended count only for as long as they lasted. How each ended
 * is in it.
 */
export function alertsOpenAt(
  { db, directory, reportContext, visibility }: OpenAtParts,
  viewer: Session,
  at: Date,
): Promise<RouteAnswer<typeof listAlerts>> {
  const lasted = sql`(closed_at is null or closed_at > ${at})`;
  // What was acknowledged by nobody had ended when it arrived: it waited for nobody.
  const waited = sql`(acknowledged_at is null or acknowledged_by is not null)`;
  const wasOpen = sql<boolean>`(opened_at <= ${at} and (acknowledged_at is null or acknowledged_at > ${at})
    and (${lasted} or ${waited}))`;
  return db.asAccount(viewer.accountId, async trx => {
    const isSeen = visibility.seesAll(viewer)
      ? null
      : await alertsInSight(trx, viewer, visibility.vehicles(viewer), visibility, true);
    const rows = await selectAlerts(trx)
      .where(wasOpen)
      .where(isForSql(viewer))
      .$if(isSeen !== null, query => query.where(isSeen as Expression<boolean>))
      .orderBy('opened_at', 'desc')
      .orderBy('alert.id', 'desc')
      .limit(LIMIT)
      .execute();
    const counts = await trx
      .selectFrom('alert')
      .select(['severity', sql<number>`count(*)::int4`.as('count')])
      .where(wasOpen)
      .where(isForSql(viewer))
      .$if(isSeen !== null, query => query.where(isSeen as Expression<boolean>))
      .groupBy('severity')
      .execute();
    const sees = seesOther(viewer, { directory, visibility });
    return {
      alerts: rows.flatMap(row => {
        const vehicle = vehicleOf(row, directory);
        const isShown = vehicle === null || (vehicle && visibility.sees(viewer, vehicle));
        return isShown ? toAlert(row, vehicle, reportContext, sees) : [];
      }),
      unacknowledged: {
        ...{ critical: 0, warning: 0, info: 0 },
        ...Object.fromEntries(counts.map(row => [row.severity, row.count])),
      },
    };
  });
}
