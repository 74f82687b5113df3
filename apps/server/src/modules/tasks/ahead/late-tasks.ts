import type { AlertTask, TaskEta, TaskFitReason } from '@milepost/contract';
import type { Reach } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Workers } from '../../../workers/workers.ts';
import type { Board } from '../../logbook/board/board.ts';
import { iso } from '../../logbook/days/shown.ts';
import { readDriverTerms } from '../../logbook/settings/driver-terms.ts';
import { type DriverErrand, errandsOf } from './errands.ts';
import { type Asked, askOf, type Candidate, reasonOf } from './fit.ts';
import { hoursOf, whereaboutsOf } from './fits.ts';
import { TaskAlerts } from './task-alerts.ts';
import { ToldEtas } from './told-etas.ts';
import type { Errand } from './way.ts';

const MINUTE = 60_000;
/** A task that is a little late, or just in time, changes nothing: estimates are not better than that. */
export const MARGIN_MS = 5 * MINUTE;
/** How often in a row a task must be late before it is an alert. */
export const LOOKS_BEFORE = 2;
/** An arrival that moved by less doesn't change the alert's figures. */
const MOVED_MS = 5 * MINUTE;
/** A task with this much to spare is looked at every few minutes only. */
export const MUCH_MS = 60 * MINUTE;
export const SELDOM_MS = 5 * MINUTE;

interface Seen {
  readonly errand: DriverErrand;
  readonly eta: TaskEta;
  readonly lookAgainAt: number;
  /** Looks in a row at which it was late. */
  readonly late: number;
}

interface Open {
  readonly alertId: string;
  readonly driverId: number;
  readonly arriveAt: number | null;
}

export interface LateTasksParts {
  readonly organisation: Organisation;
  readonly board: Pick<Board, 'logs'>;
  readonly workers: Workers;
}

type LateTasksContext = Pick<Context, 'bus' | 'db' | 'feed' | 'signals'>;

/**
 * When drivers will be at their tasks, and the alert `taskLate` for those who can't be there in time. One run looks at
 * all tasks that drivers have: tasks stay in memory until the change feed says that they changed, logs until they grow.
 */
export class LateTasks {
  readonly #context: LateTasksContext;
  readonly #alerts: TaskAlerts;
  readonly #parts: LateTasksParts;
  /** What the server that leads has found; empty where that is this one. */
  readonly #told: ToldEtas;
  /** By account; accounts that are missing are read at the next look. */
  readonly #errands = new Map<number, readonly DriverErrand[]>();
  readonly #stale = new Set<number>();
  readonly #seen = new Map<number, Seen>();
  #open = new Map<number, Open>();
  #looking: Promise<void> = Promise.resolve();

  constructor(context: LateTasksContext, parts: LateTasksParts) {
    this.#context = context;
    this.#alerts = new TaskAlerts(context, 'taskLate');
    this.#parts = parts;
    this.#told = new ToldEtas(context.bus);
    context.feed.follow('memory', changes => {
      for (const { kind, accountId } of changes) if (kind === 'task') this.#stale.add(accountId);
    });
  }

  /** When the driver will be there, as of the last look; null before that, and once they have arrived. */
  etaOf(taskId: number): TaskEta | null {
    return this.#told.etaOf(taskId) ?? this.#seen.get(taskId)?.eta ?? null;
  }

  /** One look at all tasks; looks run one after the other. */
  look(now = Date.now()): Promise<void> {
    const looked = this.#looking.then(() => this.#look(now));
    this.#looking = looked.catch(() => {});
    return looked;
  }

  async #look(now: number): Promise<void> {
    // Another server may have led meanwhile.
    this.#open = await this.#readOpen();
    await this.#readErrands();
    const lasting = new Set<number>();
    for (const [accountId, errands] of this.#errands) {
      for (const { id, arrivedAt } of errands) if (arrivedAt === null) lasting.add(id);
      const due = errands.filter(errand => this.#isDue(errand, now));
      if (due.length > 0) await this.#lookAt(accountId, errands, due, now);
    }
    for (const id of this.#seen.keys()) if (!lasting.has(id)) this.#seen.delete(id);
    for (const id of [...this.#open.keys()]) if (!lasting.has(id)) await this.#close(id, now);
    this.#told.tell([...this.#seen].map(([id, { eta }]) => [id, eta]));
  }

  #isDue(errand: DriverErrand, now: number): boolean {
    if (errand.arrivedAt !== null || errand.stops.length === 0) return false;
    const seen = this.#seen.get(errand.id);
    return !seen || seen.errand !== errand || now >= seen.lookAgainAt;
  }

  /** Reads the tasks of accounts in which one has changed, and of all at the first look. */
  async #readErrands(): Promise<void> {
    const { db } = this.#context;
    const isFirst = this.#errands.size === 0;
    const stale = [...this.#stale];
    this.#stale.clear();
    const rows = await db.system
      .selectFrom('task')
      .select('account_id')
      .distinct()
      .where('over_at', 'is', null)
      .where('driver_id', 'is not', null)
      .$if(!isFirst, query => query.where(sql<boolean>`account_id = any (${stale}::int4[])`))
      .execute();
    for (const accountId of stale) this.#errands.delete(accountId);
    for (const { account_id: accountId } of rows) {
      this.#errands.set(accountId, await db.asAccount(accountId, errandsOf));
    }
  }

  async #lookAt(accountId: number, all: readonly DriverErrand[], due: readonly DriverErrand[], now: number) {
    const { organisation, board, workers } = this.#parts;
    const drivers = [...new Set(due.map(({ driverId }) => driverId))];
    const { terms, logs } = await this.#context.db.asAccount(accountId, async trx => {
      const terms = (await readDriverTerms(trx, drivers)).filter(({ archived }) => !archived);
      const keeping = terms.filter(({ settings }) => settings.keepsLog);
      return { terms, logs: await board.logs(trx, accountId, keeping, now) };
    });
    const candidates = new Map(
      terms.map(({ driverId, name }): [number, Candidate] => {
        const log = logs.get(driverId);
        return [
          driverId,
          {
            driver: { id: String(driverId), name },
            hours: hoursOf(log),
            where: whereaboutsOf(organisation, { accountId, driverId, viewer: null }, log, now),
            errands: [],
          },
        ];
      }),
    );
    const asked = due.flatMap((errand): { errand: DriverErrand; candidate: Candidate; asked: Asked }[] => {
      const candidate = candidates.get(errand.driverId);
      if (!candidate) return [];
      const others = { ...candidate, errands: all.filter(one => one.driverId === errand.driverId && one !== errand) };
      return [{ errand, candidate, asked: askOf(others, errand, now) }];
    });
    const asks = asked.flatMap(one => ('ask' in one.asked ? [one.asked.ask] : []));
    const reached = asks.length === 0 ? [] : await workers.run(accountId, 'reachBriefly', asks);
    let next = 0;
    for (const one of asked) {
      const found = 'ask' in one.asked ? (reached[next++] ?? null) : null;
      await this.#judge(accountId, one.errand, one.candidate, etaOf(one.errand, one.asked, found, now), now);
    }
  }

  async #judge(accountId: number, errand: DriverErrand, candidate: Candidate, eta: TaskEta, now: number) {
    const before = this.#seen.get(errand.id);
    const isLate = isLateBy(eta, MARGIN_MS);
    const late = isLate ? (before?.late ?? 0) + 1 : 0;
    const hasMuch = eta.spareS !== null && eta.spareS * 1000 > MUCH_MS && eta.reason === null;
    const lookAgainAt = now + (hasMuch || errand.dueTo === null ? SELDOM_MS : 0);
    this.#seen.set(errand.id, { errand, eta, lookAgainAt, late });
    const open = this.#open.get(errand.id);
    const isOff = this.#parts.organisation.builtIns.isOff(accountId, 'taskLate');
    if (open && (isOff || open.driverId !== errand.driverId || isInTimeBy(eta, MARGIN_MS)))
      await this.#close(errand.id, now);
    else if (open && isLate) await this.#update(errand, open, eta, now);
    if (isLate && late >= LOOKS_BEFORE && !this.#open.has(errand.id)) {
      await this.#raise(accountId, errand, candidate, eta, now);
    }
  }

  async #raise(accountId: number, errand: DriverErrand, { where }: Candidate, eta: TaskEta, now: number) {
    const vehicleId = where.vehicle ? Number(where.vehicle.id) : errand.vehicleId;
    const { driverId } = errand;
    const about = { accountId, vehicleId, kind: 'taskLate', at: epochMs(now), driverId } as const;
    const severity = this.#parts.organisation.builtIns.severityOf(about, 'warning');
    if (severity === null) return;
    const alert = { accountId, vehicleId, driverId, taskId: errand.id, severity, place: where.place };
    const alertId = await this.#alerts.begin({ ...alert, task: told(errand, eta) }, now);
    if (alertId !== null) this.#open.set(errand.id, { alertId, driverId, arriveAt: momentOf(eta.arriveAt) });
  }

  async #update(errand: DriverErrand, open: Open, eta: TaskEta, now: number): Promise<void> {
    const arriveAt = momentOf(eta.arriveAt);
    if (arriveAt === open.arriveAt) return;
    if (arriveAt !== null && open.arriveAt !== null && Math.abs(arriveAt - open.arriveAt) < MOVED_MS) return;
    await this.#alerts.update(open.alertId, told(errand, eta), now);
    this.#open.set(errand.id, { ...open, arriveAt });
  }

  async #close(taskId: number, now: number): Promise<void> {
    const open = this.#open.get(taskId);
    if (!open) return;
    await this.#alerts.end(open.alertId, now);
    this.#open.delete(taskId);
  }

  async #readOpen(): Promise<Map<number, Open>> {
    const rows = await this.#context.db.system
      .selectFrom('alert')
      .select(['id', 'task_id', 'driver_id', 'task'])
      .where('kind', '=', 'taskLate')
      .where('closed_at', 'is', null)
      .execute();
    const open = new Map<number, Open>();
    for (const { id, task_id, driver_id, task } of rows) {
      // Of a task that was deleted meanwhile: over.
      open.set(task_id ?? -open.size - 1, {
        ...{ alertId: id, driverId: driver_id ?? 0, arriveAt: momentOf(task?.arriveAt ?? null) },
      });
    }
    return open;
  }
}

const momentOf = (at: string | null): number | null => (at === null ? null : Date.parse(at));
/** When the driver will be there; what isn't known is said, except that a window is over. */
export function etaOf(errand: Pick<Errand, 'dueTo'>, asked: Asked, reached: Reach | null, now: number): TaskEta {
  const { dueTo } = errand;
  const isOver = dueTo !== null && now > dueTo;
  const over: TaskFitReason | null = isOver
    ? { code: 'window-over', at: iso(dueTo), shortS: Math.round((now - dueTo) / 1000), limit: null }
    : null;
  const base = { at: iso(now), arriveAt: null, spareS: null, distanceM: null };
  if ('unknown' in asked) return { ...base, reason: over ?? asked.unknown };
  const { arriveAt, late } = reached ?? { arriveAt: null, late: null };
  const by = asked.ask.stops[0]?.by ?? null;
  return {
    ...base,
    arriveAt: arriveAt === null ? null : iso(arriveAt),
    spareS: by === null || arriveAt === null ? null : Math.round((by - arriveAt) / 1000),
    distanceM: asked.meters,
    reason: over ?? (late && reasonOf(late)),
  };
}

const CERTAIN = ['window-over', 'busy', 'distance', 'break', 'hours', 'no-plan'];

type Named = Pick<DriverErrand, 'title' | 'ref' | 'dueTo'>;

/** Late for certain, and by more than the margin; a window that is over is late at once. */
export function isLateBy({ spareS, reason }: TaskEta, marginMs: number): boolean {
  if (reason === null || !CERTAIN.includes(reason.code)) return false;
  return reason.code === 'window-over' || reason.code === 'no-plan' || (spareS ?? 0) * 1000 < -marginMs;
}

/** In time, and by more than the margin; or nothing asks for a time any more. */
export const isInTimeBy = ({ spareS, reason, arriveAt }: TaskEta, marginMs: number): boolean =>
  reason === null && (spareS === null ? arriveAt !== null : spareS * 1000 > marginMs);

export const told = ({ title, ref, dueTo }: Named, { arriveAt, spareS, reason }: TaskEta): AlertTask => ({
  ...{ title, ref, arriveAt, reason },
  dueTo: dueTo === null ? null : iso(dueTo),
  lateS: spareS === null ? null : Math.max(0, -spareS),
});
