import type { AlertTask, TaskEta } from '@milepost/contract';
import type { Reach, ReachAsk } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { readDriverTerms } from '../../logbook/settings/driver-terms.ts';
import { errandsOf, type OpenErrand, openErrandsOf } from './errands.ts';
import { type Asked, askOf } from './fit.ts';
import { hoursOf, whereaboutsOf } from './fits.ts';
import {
  etaOf,
  isInTimeBy,
  isLateBy,
  type LateTasksParts,
  LOOKS_BEFORE,
  MARGIN_MS,
  MUCH_MS,
  SELDOM_MS,
  told,
} from './late-tasks.ts';
import type { Driver } from './made-late.ts';
import { TaskAlerts } from './task-alerts.ts';

/** Drivers are asked from the nearest on, so many at once, until one can make it. */
const AT_ONCE = 8;
/** Those farther away are as if nothing were known of them: every plan takes some milliseconds of a processor. */
const MOST_DRIVERS = 200;

interface Seen {
  readonly errand: OpenErrand;
  readonly lookAgainAt: number;
  /** Looks in a row at which nobody could make it. */
  readonly looks: number;
  /** Who could make it at the last look. */
  readonly able: string | null;
}

interface Found {
  /** Someone can make it, by more than the margin. */
  readonly able: string | null;
  /** Nobody can, for certain. */
  readonly isNobody: boolean;
  readonly hasMuch: boolean;
  readonly task: AlertTask;
}

type Candidate = { readonly driver: Driver; readonly asked: Asked };

/**
 * The alert `taskNoDriver` for open tasks that none of the account's drivers can be at in time, as far as their hours
 * and positions are known; or whose window is over. It has no vehicle.
 */
export class TasksWithoutDriver {
  readonly #context: Pick<Context, 'db' | 'feed' | 'signals'>;
  readonly #alerts: TaskAlerts;
  readonly #parts: LateTasksParts;
  /** By account; null before the first look. */
  readonly #errands = new Map<number, readonly OpenErrand[]>();
  #stale: Set<number> | null = null;
  readonly #seen = new Map<number, Seen>();
  #open = new Map<number, { readonly alertId: string; readonly told: string }>();

  constructor(context: Pick<Context, 'db' | 'feed' | 'signals'>, parts: LateTasksParts) {
    this.#context = context;
    this.#alerts = new TaskAlerts(context, 'taskNoDriver');
    this.#parts = parts;
    context.feed.follow('memory', changes => {
      for (const { kind, accountId } of changes) if (kind === 'task') this.#stale?.add(accountId);
    });
  }

  /** One look at all open tasks; a job runs it, one run at a time. */
  async look(now = Date.now()): Promise<void> {
    // Another server may have led meanwhile.
    this.#open = await this.#readOpen();
    await this.#readErrands();
    const waiting = new Set<number>();
    for (const [accountId, errands] of this.#errands) {
      for (const { id } of errands) waiting.add(id);
      const due = errands.filter(errand => {
        const seen = this.#seen.get(errand.id);
        return seen?.errand !== errand || now >= seen.lookAgainAt;
      });
      if (due.length > 0) await this.#lookAt(accountId, due, now);
    }
    for (const id of this.#seen.keys()) if (!waiting.has(id)) this.#seen.delete(id);
    // Given to a driver, canceled or deleted meanwhile.
    for (const id of [...this.#open.keys()]) if (!waiting.has(id)) await this.#close(id, now);
  }

  async #readErrands(): Promise<void> {
    const { db } = this.#context;
    const stale = this.#stale === null ? null : [...this.#stale];
    this.#stale ??= new Set();
    this.#stale.clear();
    const rows = await db.system
      .selectFrom('task')
      .select('account_id')
      .distinct()
      .where('over_at', 'is', null)
      .where('driver_id', 'is', null)
      .$if(stale !== null, query => query.where(sql<boolean>`account_id = any (${stale}::int4[])`))
      .execute();
    for (const accountId of stale ?? []) this.#errands.delete(accountId);
    for (const { account_id: accountId } of rows) {
      this.#errands.set(accountId, await db.asAccount(accountId, openErrandsOf));
    }
  }

  async #lookAt(accountId: number, due: readonly OpenErrand[], now: number): Promise<void> {
    const { organisation, board } = this.#parts;
    const drivers = await this.#context.db.asAccount(accountId, async trx => {
      const terms = (await readDriverTerms(trx, null)).filter(({ archived }) => !archived);
      const keeping = terms.filter(({ settings }) => settings.keepsLog);
      const logs = await board.logs(trx, accountId, keeping, now);
      const errands = Map.groupBy(await errandsOf(trx), ({ driverId }) => driverId);
      return terms.map(({ driverId, name }): Driver => {
        const log = logs.get(driverId);
        return {
          driver: { id: String(driverId), name },
          hours: hoursOf(log),
          where: whereaboutsOf(organisation, { accountId, driverId, viewer: null }, log, now),
          errands: errands.get(driverId) ?? [],
        };
      });
    });
    for (const errand of due) {
      const found = await this.#find(accountId, errand, drivers, now);
      await this.#judge(accountId, errand, found, now);
    }
  }

  /** Asks the drivers of whom enough is known, the one of the last look first, then from the nearest on. */
  async #find(accountId: number, errand: OpenErrand, drivers: readonly Driver[], now: number): Promise<Found> {
    const all = drivers.map((driver): Candidate => ({ driver, asked: askOf(driver, errand, now) }));
    const before = this.#seen.get(errand.id)?.able ?? null;
    const far = ({ driver, asked }: Candidate): number =>
      driver.driver.id === before ? -1 : 'ask' in asked ? asked.meters : Number.MAX_SAFE_INTEGER;
    const known = all.filter(({ asked }) => 'ask' in asked).toSorted((a, b) => far(a) - far(b));
    const asked = known.slice(0, MOST_DRIVERS);
    const isOver = errand.dueTo !== null && now > errand.dueTo;
    const etas: TaskEta[] = [];
    for (let from = 0; from < asked.length && !isOver; from += AT_ONCE) {
      const some = asked.slice(from, from + AT_ONCE);
      const reached = await this.#reach(accountId, some);
      for (const [i, one] of some.entries()) {
        const eta = etaOf(errand, one.asked, reached[i] ?? null, now);
        etas.push(eta);
        if (isInTimeBy(eta, MARGIN_MS)) {
          const hasMuch = eta.spareS !== null && eta.spareS * 1000 > MUCH_MS;
          return { able: one.driver.driver.id, isNobody: false, hasMuch, task: told(errand, eta) };
        }
      }
    }
    const first = etas.toSorted((a, b) => (b.spareS ?? -Infinity) - (a.spareS ?? -Infinity))[0];
    const over = etaOf(errand, { unknown: { code: 'no-place', at: null, shortS: null, limit: null } }, null, now);
    const isNobody = isOver || (etas.length > 0 && etas.every(eta => isLateBy(eta, MARGIN_MS)));
    const counts = { cannot: isOver ? 0 : etas.length, unknown: isOver ? 0 : all.length - etas.length };
    return { able: null, isNobody, hasMuch: false, task: { ...told(errand, first ?? over), drivers: counts } };
  }

  #reach(accountId: number, some: readonly Candidate[]): Promise<readonly Reach[]> {
    const asks = some.flatMap(({ asked }): ReachAsk[] => ('ask' in asked ? [asked.ask] : []));
    return this.#parts.workers.run(accountId, 'reachBriefly', asks);
  }

  async #judge(accountId: number, errand: OpenErrand, { able, isNobody, hasMuch, task }: Found, now: number) {
    const looks = isNobody ? (this.#seen.get(errand.id)?.looks ?? 0) + 1 : 0;
    const lookAgainAt = now + (hasMuch ? SELDOM_MS : 0);
    this.#seen.set(errand.id, { errand, lookAgainAt, looks, able });
    const open = this.#open.get(errand.id);
    const isOff = this.#parts.organisation.builtIns.isOff(accountId, 'taskNoDriver');
    if (open && (isOff || able !== null)) await this.#close(errand.id, now);
    else if (open && isNobody) await this.#update(errand.id, open, task, now);
    else if (!open && isNobody && looks >= LOOKS_BEFORE) await this.#raise(accountId, errand, task, now);
  }

  async #raise(accountId: number, errand: OpenErrand, task: AlertTask, now: number): Promise<void> {
    const about = { accountId, vehicleId: null, kind: 'taskNoDriver', at: epochMs(now), driverId: null } as const;
    const severity = this.#parts.organisation.builtIns.severityOf(about, 'warning');
    if (severity === null) return;
    // Where the task is.
    const place = errand.stops[0] ?? null;
    const alert = { accountId, vehicleId: null, driverId: null, taskId: errand.id, severity, place, task };
    const alertId = await this.#alerts.begin(alert, now);
    if (alertId !== null) this.#open.set(errand.id, { alertId, told: gist(task) });
  }

  async #update(taskId: number, open: { alertId: string; told: string }, task: AlertTask, now: number): Promise<void> {
    if (open.told === gist(task)) return;
    await this.#alerts.update(open.alertId, task, now);
    this.#open.set(taskId, { ...open, told: gist(task) });
  }

  async #close(taskId: number, now: number): Promise<void> {
    const open = this.#open.get(taskId);
    if (!open) return;
    await this.#alerts.end(open.alertId, now);
    this.#open.delete(taskId);
  }

  async #readOpen() {
    const rows = await this.#context.db.system
      .selectFrom('alert')
      .select(['id', 'task_id', 'task'])
      .where('kind', '=', 'taskNoDriver')
      .where('closed_at', 'is', null)
      .execute();
    // Of a task that was deleted meanwhile: over.
    return new Map(
      rows.map(({ id, task_id, task }, i) => [task_id ?? -i - 1, { alertId: id, told: task ? gist(task) : '' }]),
    );
  }
}

/** What people read of it: an arrival that moves by a minute with every look is no news. */
const gist = ({ title, ref, dueTo, reason, drivers }: AlertTask): string =>
  JSON.stringify([title, ref, dueTo && Date.parse(dueTo), reason?.code, drivers?.cannot, drivers?.unknown]);
