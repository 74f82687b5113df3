import { sql } from 'kysely';
import { count, driverColumn, duration, moment, quotient, text, vehicleColumn } from '../columns.ts';
import { type Asked, defineReport, type ReportItem, TRIP_GROUPINGS } from '../report.ts';
import { type Words, words } from '../words.ts';

interface DueTask extends ReportItem {
  readonly title: string;
  readonly ref: string | null;
  readonly dueMs: number;
  /** Null: nobody has got there. */
  readonly reachedMs: number | null;
  readonly reachedBy: string | null;
}

const MINUTE_MS = 60_000;
const BY: Readonly<Record<string, Words>> = {
  driver: words('Driver', 'Conductor', 'Conducteur'),
  vehicle: words('Vehicle’s position', 'Posición del vehículo', 'Position du véhicule'),
  desk: words('Dispatcher', 'Despachador', 'Répartiteur'),
};

/** Whole minutes are late, as in a driver's score. */
const isOnTime = ({ dueMs, reachedMs }: DueTask): boolean => reachedMs !== null && reachedMs < dueMs + MINUTE_MS;

/** Tasks that had to be reached by a time, and whether they were. */
export const tasks = defineReport<DueTask>({
  key: 'tasks',
  section: 'work',
  title: words('Tasks on time', 'Tareas a tiempo', 'Tâches à l’heure'),
  text: words(
    'Tasks that had to be reached by a time, and whether they were',
    'Tareas que debían alcanzarse a una hora, y si se alcanzaron',
    'Tâches à atteindre avant une heure, et si elles l’ont été',
  ),
  needs: 'tasks.read',
  isOfPositions: false,
  groupings: TRIP_GROUPINGS,
  columns: [
    text('task', words('Task', 'Tarea', 'Tâche'), ({ title }) => title),
    text('ref', words('Reference', 'Referencia', 'Référence'), ({ ref }) => ref),
    driverColumn,
    vehicleColumn,
    moment('due', words('Due', 'Vence', 'Échéance'), ({ dueMs }) => dueMs),
    moment('reached', words('Reached', 'Llegada', 'Arrivée'), ({ reachedMs }) => reachedMs),
    {
      key: 'by',
      title: words('Reported by', 'Reportada por', 'Signalée par'),
      type: 'text',
      of: ({ reachedBy }, { language }) => (reachedBy === null ? null : (BY[reachedBy]?.[language] ?? reachedBy)),
    },
    duration('lateBy', words('Late by', 'Retraso', 'Retard'), item =>
      item.reachedMs === null || isOnTime(item) ? null : (item.reachedMs - item.dueMs) / 1000,
    ),
    count('onTime', words('On time', 'A tiempo', 'À l’heure'), item => (isOnTime(item) ? 1 : null)),
    count('late', words('Late or not reached', 'Tarde o sin llegar', 'En retard ou non atteinte'), item =>
      isOnTime(item) ? null : 1,
    ),
    {
      key: 'share',
      title: words('On time, share', 'A tiempo, proporción', 'À l’heure, part'),
      type: 'share',
      of: () => null,
      total: total => quotient(total('onTime') ?? 0, (total('onTime') ?? 0) + (total('late') ?? 0)),
    },
  ],
  read: async function* (asked) {
    yield await dueTasks(asked);
  },
});

/**
 * Those due in the period, up to now. A canceled one was not to be reached any more, and one that was written down after
 * it was due says nothing.
 */
async function dueTasks({ calendar, from, namesVehicles, nowMs, session, sources, to, vehicles }: Asked) {
  const { roster, visibility } = sources.parts;
  const byId = new Map(vehicles.map(vehicle => [vehicle.id, vehicle]));
  const isSeen = (driverId: number | null, createdBy: string | null): boolean => {
    if (visibility.seesAll(session)) return true;
    const driver = driverId === null ? null : roster.driver(session.accountId, driverId);
    return driver === null ? createdBy === session.userId : visibility.seesDriver(session, driver);
  };
  const rows = await sources.db.asAccount(session.accountId, trx =>
    trx
      .selectFrom('task')
      .leftJoin('named_driver', join =>
        join.onRef('named_driver.account_id', '=', 'task.account_id').onRef('named_driver.id', '=', 'task.driver_id'),
      )
      .leftJoinLateral(
        eb =>
          eb
            .selectFrom('task_step')
            .select(['task_step.at', 'task_step.done_by'])
            .whereRef('task_step.task_id', '=', 'task.id')
            .where('task_step.state', 'in', ['arrived', 'working', 'done'])
            .orderBy('task_step.at')
            .limit(1)
            .as('step'),
        join => join.onTrue(),
      )
      .select(['task.id', 'title', 'ref', 'vehicle_id', 'driver_id', 'created_by', 'named_driver.name as driver_name'])
      .select(['due_to', 'step.at', 'step.done_by'])
      .where('due_to', '>=', new Date(calendar.startOf(from)))
      .where('due_to', '<', new Date(Math.min(nowMs, calendar.startOf(to + 1))))
      .where('state', '<>', 'cancelled')
      .where(sql<boolean>`task.created_at < due_to`)
      .orderBy('due_to')
      .orderBy('task.id')
      .execute(),
  );
  return rows.flatMap((row): DueTask[] => {
    const vehicle = byId.get(row.vehicle_id ?? 0) ?? null;
    if (row.due_to === null || !isSeen(row.driver_id, row.created_by) || (namesVehicles && vehicle === null)) return [];
    const dueMs = row.due_to.getTime();
    return [
      {
        ...{ id: String(row.id), vehicle, day: calendar.dayOf(dueMs), title: row.title, ref: row.ref, dueMs },
        drivers: row.driver_id === null ? [] : [{ id: row.driver_id, name: row.driver_name ?? '' }],
        reachedMs: row.at?.getTime() ?? null,
        reachedBy: row.done_by,
      },
    ];
  });
}
