import { randomUUID } from 'node:crypto';
import {
  type GeofenceShape,
  type GeoPoint,
  isOver,
  type Task,
  type TaskState,
  type TaskStop,
} from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { DEMO_GEOFENCES } from './geofences.ts';

const MINUTE_MS = 60_000;
const HALF_HOUR_MS = 30 * MINUTE_MS;

interface DemoTask {
  readonly title: string;
  readonly ref: string;
  /** Names of geofences, in the order in which they are driven to. */
  readonly stops: readonly string[];
  readonly notes?: string;
  readonly priority?: Task['priority'];
  /** Hours from now until the window begins and ends. */
  readonly due: readonly [from: number, to: number];
  readonly driver?: string;
  /** What has happened, and how many minutes ago. */
  readonly steps?: readonly (readonly [state: Exclude<TaskState, 'open'>, minutesAgo: number])[];
  readonly reason?: string;
  readonly signedBy?: string;
  readonly needsSignature?: true;
  readonly needsPhoto?: true;
}

/** A day of dispatch halfway through: some done, some late, some that nobody has answered, some that nobody has. */
export const DEMO_TASKS: readonly DemoTask[] = [
  {
    ...{ title: 'Produce to Bucktown market', ref: 'BOL 70114', driver: 'Nadia Haddad', due: [-27, -25] },
    ...{ stops: ['Loop West depot', 'Bucktown market'], needsSignature: true, signedBy: 'P. Okafor' },
    steps: [
      ['assigned', 1800],
      ['accepted', 1770],
      ['arrived', 1590],
      ['done', 1566],
    ],
  },
  {
    ...{ title: 'Dairy to Fulton Market', ref: 'BOL 70117', driver: 'Hank Lindqvist', due: [-26, -24] },
    ...{ stops: ['Brighton Park depot', 'Fulton Market'], needsSignature: true, signedBy: 'L. Brandt' },
    steps: [
      ['assigned', 1790],
      ['accepted', 1760],
      ['arrived', 1512],
      ['done', 1490],
    ],
  },
  {
    ...{ title: 'Trailer swap at Pontiac', ref: 'LH 2209', driver: 'Pete Zirkle', due: [-30, -25] },
    ...{ stops: ['Pontiac relay'], reason: 'The trailer has a flat tire. Road service is coming.' },
    steps: [
      ['assigned', 1900],
      ['accepted', 1880],
      ['arrived', 1620],
      ['failed', 1604],
    ],
  },
  {
    ...{ title: 'Store restock, Lincoln Park', ref: 'PO 88102', driver: 'Owen Gallagher', due: [-3, -1] },
    ...{ stops: ['Loop West depot', 'Lincoln Park stores'], needsSignature: true, signedBy: 'M. Reyes' },
    steps: [
      ['assigned', 400],
      ['accepted', 385],
      ['enroute', 170],
      ['arrived', 128],
      ['done', 96],
    ],
  },
  {
    ...{ title: 'Linen pickup, Bucktown', ref: 'PU 3315', driver: 'Mei-Ling Chou', due: [-2, -0.5] },
    ...{ stops: ['Bucktown market'], notes: 'Dock 2, ring the bell.' },
    steps: [
      ['assigned', 300],
      ['accepted', 280],
    ],
  },
  {
    ...{ title: 'Frozen goods to Fulton Market', ref: 'BOL 70131', driver: 'Jolene Pruitt', due: [-0.5, 1] },
    ...{ stops: ['Brighton Park depot', 'Fulton Market'], needsSignature: true, needsPhoto: true },
    notes: 'Keep below 0 °F. Photo of the seal before you open it.',
    steps: [
      ['assigned', 240],
      ['seen', 236],
      ['accepted', 235],
      ['enroute', 30],
    ],
  },
  {
    ...{ title: 'Parcels, West Town loop', ref: 'RT 114', driver: 'Tom Bergstrom', due: [0, 3] },
    stops: ['West Town depot', 'Bucktown market', 'Lincoln Park stores'],
    steps: [
      ['assigned', 200],
      ['accepted', 190],
      ['enroute', 12],
    ],
  },
  {
    ...{ title: 'Cross-dock, Toledo', ref: 'LH 2214', driver: 'Marcus Tolliver', due: [5, 7] },
    ...{ stops: ['South Bend relay', 'Toledo cross-dock'], priority: 'high' },
    steps: [
      ['assigned', 90],
      ['seen', 80],
      ['accepted', 79],
    ],
  },
  {
    ...{ title: 'Relay to Battle Creek', ref: 'LH 2215', driver: 'Dana Whitlock', due: [4, 6] },
    ...{ stops: ['South Bend relay', 'Battle Creek relay'], notes: 'Take trailer 53118 back.', needsPhoto: true },
    steps: [
      ['assigned', 75],
      ['seen', 60],
      ['accepted', 58],
    ],
  },
  {
    ...{ title: 'Empty trailer to McKinley Park', ref: 'LH 2219', driver: 'Dana Whitlock', due: [8, 11] },
    stops: ['McKinley Park terminal'],
    steps: [['assigned', 15]],
  },
  {
    ...{ title: 'Cross-dock, Madison', ref: 'LH 2216', driver: 'Joel Hostetter', due: [3, 5] },
    stops: ['Belvidere relay', 'Madison cross-dock'],
    steps: [
      ['assigned', 45],
      ['seen', 38],
    ],
  },
  {
    ...{ title: 'Cross-dock, Whitestown', ref: 'LH 2217', driver: 'Rob Nakamura', due: [6, 9] },
    ...{ stops: ['Whitestown cross-dock'], reason: 'My hours run out before Lafayette.' },
    steps: [
      ['assigned', 120],
      ['declined', 104],
    ],
  },
  {
    ...{ title: 'Urgent part to Litchfield', ref: 'HS 0441', due: [2, 7], priority: 'urgent' },
    stops: ['McKinley Park terminal', 'Litchfield drop yard'],
    notes: 'Breakdown of the customer’s line. Call when you are an hour out.',
  },
  {
    ...{ title: 'Evening restock, Lincoln Park', ref: 'PO 88119', due: [3, 5] },
    ...{ stops: ['Loop West depot', 'Lincoln Park stores'], needsSignature: true },
  },
  { title: 'Returns from Fulton Market', ref: 'RET 518', due: [5, 8], stops: ['Fulton Market', 'Portage Park depot'] },
];

export async function addDemoTasks(trx: Kysely<Database>, accountId: number, by: string, nowMs: number): Promise<void> {
  const account = { account_id: accountId };
  const drivers = await trx
    .selectFrom('driver')
    .leftJoin('vehicle', 'vehicle.usual_driver_id', 'driver.id')
    .select(['driver.id', 'driver.name', 'vehicle.id as vehicle_id'])
    .where('driver.account_id', '=', accountId)
    .execute();
  const onHalfHour = Math.ceil(nowMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  const inHours = (hours: number): Date => new Date(onHalfHour + hours * 2 * HALF_HOUR_MS);
  for (const { due, needsPhoto, needsSignature, reason, signedBy, steps = [], ...task } of DEMO_TASKS) {
    const driver = drivers.find(({ name }) => name === task.driver);
    const at = (minutesAgo: number): Date => new Date(nowMs - minutesAgo * MINUTE_MS);
    const [state, minutesAgo] = steps.at(-1) ?? (['open', 0] as const);
    const assignedAt = steps[0] ? at(steps[0][1]) : null;
    const { id } = await trx
      .insertInto('task')
      .values({
        ...account,
        ...{ task_id: randomUUID(), title: task.title, ref: task.ref, notes: task.notes ?? null },
        ...{ priority: task.priority ?? 'normal', due_from: inHours(due[0]), due_to: inHours(due[1]) },
        stops: JSON.stringify(task.stops.map(stopAt)),
        ...{ needs_photo: needsPhoto ?? false, needs_signature: needsSignature ?? false },
        ...{ state, reason: reason ?? null, signed_by: signedBy ?? null },
        ...{ driver_id: driver?.id ?? null, vehicle_id: driver?.vehicle_id ?? null },
        ...{ created_by: by, assigned_by: assignedAt && by, assigned_at: assignedAt, answer_by: null },
        ...{
          over_at: isOver(state) ? at(minutesAgo) : null,
          created_at: assignedAt ?? at(60),
          changed_at: at(minutesAgo),
        },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [step, ago] of steps) {
      await trx
        .insertInto('task_step')
        .values({
          ...{ ...account, task_id: id, report_id: randomUUID(), state: step, at: at(ago) },
          ...{ done_by: step === 'assigned' ? 'desk' : 'driver', user_id: step === 'assigned' ? by : null },
        })
        .execute();
    }
  }
}

function stopAt(name: string): TaskStop {
  const shape = DEMO_GEOFENCES.flatMap(({ geofences }) => geofences).find(fence => fence.name === name)?.shape;
  if (!shape) throw new Error(`The demo has no geofence ${name}`);
  const [lon, lat] = middleOf(shape);
  return { name, lat, lon, radiusM: shape.kind === 'circle' ? shape.radiusM : 400, actions: [] };
}

function middleOf(shape: GeofenceShape): GeoPoint {
  if (shape.kind === 'circle') return shape.center;
  if (shape.kind === 'rectangle') {
    const [west, south, east, north] = shape.bounds;
    return [(west + east) / 2, (south + north) / 2];
  }
  const points = shape.kind === 'corridor' ? shape.line : (shape.rings[0] ?? []);
  const mean = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return [mean(0), mean(1)];
}
