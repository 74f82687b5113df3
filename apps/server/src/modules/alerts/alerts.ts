import type {
  Alert,
  acknowledgeAlerts,
  listAlerts,
  RouteAnswer,
  RouteParsed,
  readAlertDeliveries,
} from '@milepost/contract';
import { type Expression, sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import { onEveryNode } from '../../bus/every-node.ts';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { DrivenVehicle } from '../../fleet/driving.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import type { Session } from '../../http/session.ts';
import type { CommitHook } from '../../ingest/commit-hook.ts';
import type { ReportContext } from '../../ingest/report.ts';
import { audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { isForSql, REQUEST, seesAlert } from './audience.ts';
import type { CatchUp } from './catch-up.ts';
import { watchCommandFailures } from './command-failures.ts';
import { Conflicts } from './conflicts.ts';
import { readDeliveries } from './deliveries.ts';
import { alertsInSight } from './in-sight.ts';
import { AlertNews } from './news.ts';
import { watchSecondPerson } from './second-person.ts';
import { Silence } from './silence.ts';
import { loadStates } from './states.ts';
import { aboutOf, seesOther, selectAlerts, toAlert, vehicleOf } from './store.ts';
import { TrackerAlerts } from './tracker-alerts.ts';

export interface Alerts {
  /** Writes alerts from trackers' reports, in the transaction of the positions. */
  readonly commitHook: CommitHook;
  readonly silence: Silence;
  readonly conflicts: Pick<Conflicts, 'write' | 'close'>;
  list(viewer: Session, query: RouteParsed<typeof listAlerts>['query']): Promise<RouteAnswer<typeof listAlerts>>;
  /**
   * All or none; the first to acknowledge stays on record. Problems: `not-found` for any the user can't see,
   * `alert-needs-note` if the rule of one asks for a note and there is none.
   */
  acknowledge(by: By, body: RouteParsed<typeof acknowledgeAlerts>['body']): Promise<Alert[]>;
  /** Whom it reached, how and when. Problem `not-found` if the user can't see it. */
  deliveries(viewer: Session, id: string): Promise<RouteAnswer<typeof readAlertDeliveries>>;
  /** Writes alerts that could not be written when they were due. A job runs it every minute. */
  readonly catchUp: CatchUp;
  stop(): void;
}

export interface AlertsParts extends Organisation {
  readonly reportContext: Pick<ReportContext, 'placeOf'>;
}

/** Opens the alerts, and the detectors that raise them. */
export async function openAlerts(context: Context, parts: AlertsParts): Promise<Alerts> {
  const { db } = context;
  const { builtIns, directory, driving, roster, reportContext, visibility } = parts;
  const news = new AlertNews(context, parts);
  const drivenBy = (vehicle: DrivenVehicle): number | null => driving.of(vehicle)?.driver.id ?? null;
  const changed = (ids: readonly string[]): void => context.signals.emit('alerts-written', { ids });
  const commitHook = new TrackerAlerts(
    db.pool,
    {
      driverOf: ({ id, accountId }, card, atMs) => {
        const signedIn = driving.signedInAt(id, atMs);
        const holder = card === null ? null : roster.driverOfCard(accountId, card);
        const vehicle = directory.findById(id);
        return signedIn ?? holder?.id ?? (vehicle && drivenBy(vehicle));
      },
      builtIns,
      changed: alerts => changed(alerts.map(({ id }) => id)),
    },
    await loadStates(db.pool, 'all', null),
  );
  const watched = { ...parts, driverOf: drivenBy, changed };
  // Those who are connected to other nodes hear of them, too.
  onEveryNode(context, 'alerts-written', ({ ids }) => news.note(ids));
  const silence = await Silence.watch(context, watched);
  const conflicts = new Conflicts(context, watched);
  const ofCommands = [watchCommandFailures(context, watched), watchSecondPerson(context, watched)];
  const catchUp = async (): Promise<void> => {
    for (const each of ofCommands) await each();
  };
  await catchUp();
  context.jobs.repeat({ name: 'missed-alerts', everySeconds: 60, run: catchUp });
  context.jobs.repeat({ name: 'silent-vehicles', everySeconds: 30, run: () => silence.look() });
  context.jobs.repeat({ name: 'past-conflicts', everySeconds: 60, run: () => conflicts.close() });

  /** The vehicles that the viewer can see; null for all of the account. */
  const inSight = (viewer: Viewer): DirectoryEntry[] | null =>
    visibility.seesAll(viewer) ? null : visibility.vehicles(viewer);

  return {
    commitHook,
    silence,
    conflicts,

    list: async (viewer, { before, deviceId, from, limit, open, to }) => {
      const vehicles = deviceId === undefined ? inSight(viewer) : [visibility.vehicle(viewer, Number(deviceId))];
      return db.asAccount(viewer.accountId, async trx => {
        const isSeen = vehicles && (await alertsInSight(trx, viewer, vehicles, visibility, deviceId === undefined));
        const rows = await selectAlerts(trx)
          .where(isForSql(viewer))
          .$if(isSeen !== null, query => query.where(isSeen as Expression<boolean>))
          .$if(open === 'true', query => query.where('acknowledged_at', 'is', null))
          .$if(open === 'false', query => query.where('acknowledged_at', 'is not', null))
          .$if(from !== undefined, query => query.where('opened_at', '>=', new Date(from as string)))
          .$if(to !== undefined, query => query.where('opened_at', '<=', new Date(to as string)))
          .$if(before !== undefined, query =>
            query.where(sql<boolean>`(opened_at, alert.id) < (select opened_at, id from alert where id = ${before})`),
          )
          .orderBy('opened_at', 'desc')
          .orderBy('alert.id', 'desc')
          .limit(limit)
          .execute();
        const counts = await trx
          .selectFrom('alert')
          .select(['severity', sql<number>`count(*)::int4`.as('count')])
          .where('acknowledged_at', 'is', null)
          .where(isForSql(viewer))
          .$if(isSeen !== null, query => query.where(isSeen as Expression<boolean>))
          .groupBy('severity')
          .execute();
        const unacknowledged = { critical: 0, warning: 0, info: 0 };
        const sees = seesOther(viewer, parts);
        return {
          alerts: rows.flatMap(row => {
            const vehicle = vehicleOf(row, directory);
            const isShown = vehicle === null || (vehicle && visibility.sees(viewer, vehicle));
            return isShown ? toAlert(row, vehicle, reportContext, sees) : [];
          }),
          unacknowledged: Object.assign(
            unacknowledged,
            Object.fromEntries(counts.map(row => [row.severity, row.count])),
          ),
        };
      });
    },

    acknowledge: async ({ session, author }, { ids, note }) => {
      const wanted = [...new Set(ids)];
      const alerts = await db.asAccount(session.accountId, async trx => {
        const before = await selectAlerts(trx)
          .where('alert.id', 'in', wanted)
          .orderBy('alert.id')
          .forUpdate('alert')
          .execute();
        const seen = before.filter(row => seesAlert(session, aboutOf(row), parts));
        if (seen.length < wanted.length) throw new AppError('not-found');
        const open = seen.filter(({ acknowledged_at, kind }) => acknowledged_at === null && kind !== REQUEST);
        if (note === null && open.some(({ rule }) => rule?.needsNote)) throw new AppError('alert-needs-note');
        if (open.length > 0) {
          await trx
            .updateTable('alert')
            .set({ acknowledged_at: new Date(), acknowledged_by: session.userId, note })
            .where(
              'id',
              'in',
              open.map(({ id }) => id),
            )
            .execute();
        }
        for (const { id, kind, task, ...row } of open) {
          const target = { id, name: vehicleOf(row, directory)?.name ?? task?.title ?? '' };
          await audit(trx, author, {
            action: 'alert.acknowledged',
            target,
            changes: [
              { field: 'kind', from: null, to: kind },
              ...(note === null ? [] : [{ field: 'note', from: null, to: note }]),
            ],
          });
        }
        const rows = await selectAlerts(trx).where('alert.id', 'in', wanted).execute();
        return rows.flatMap(row => {
          const vehicle = vehicleOf(row, directory);
          return vehicle !== undefined ? toAlert(row, vehicle, reportContext, seesOther(session, parts)) : [];
        });
      });
      changed(wanted);
      return alerts;
    },

    deliveries: (viewer, id) => readDeliveries(db, parts, viewer, id),

    catchUp,

    stop: () => {
      conflicts.stop();
      news.stop();
    },
  };
}
