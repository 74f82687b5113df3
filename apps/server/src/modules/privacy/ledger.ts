import { randomUUID } from 'node:crypto';
import { LOOK_KINDS, LOOK_PAUSE_MINUTES, type Look as LookAnswer, type LookKind } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';

/** Who looks: a user, a visitor of a share link that a user created, or the program behind a webhook. */
export interface Looker {
  readonly accountId: number;
  /** Null for a webhook. */
  readonly userId: string | null;
  readonly via: LookAnswer['via'];
  /** The share link or the webhook. */
  readonly link?: { readonly id: number; readonly name: string | null };
}

/** A look at one driver. */
export interface Look {
  readonly driverId: number;
  readonly kind: LookKind;
  /** The time of the positions; null for where the driver is now. */
  readonly period: Period | null;
}

export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** An entry of the ledger that may still go on. */
interface Stretch {
  readonly id: string;
  readonly looker: Looker;
  readonly driverId: number;
  readonly kind: LookKind;
  readonly beganMs: number;
  untilMs: number;
  period: Period | null;
  /** What the database has; null until it has the entry. */
  writtenUntilMs: number | null;
  writtenPeriod: Period | null;
}

export interface Ledger {
  /** Notes looks that go on, such as those of a live map: they are in the database within a second. */
  note(looker: Looker, looks: Iterable<Look>, nowMs?: number): void;
  /** The same, and resolves when they are in the database: an answer that shows positions waits for it. */
  record(looker: Looker, looks: Iterable<Look>, nowMs?: number): Promise<void>;
  /** Resolves when the database has every entry that was noted until now, and of these drivers to the last second. */
  settled(isMeant?: (driverId: number) => boolean): Promise<void>;
  stop(): Promise<void>;
}

const PAUSE_MS = LOOK_PAUSE_MINUTES * 60_000;
/** A screen that is never turned off has an entry a day. */
const LONGEST_MS = 24 * 3_600_000;
const WRITE_EVERY_MS = 1000;
/** How far the end of an entry in the database may be behind while it goes on: one write, not one a second. */
const PROLONG_EVERY_MS = 5 * 60_000;
const TIDY_EVERY_MS = 60_000;
const ROWS_A_STATEMENT = 1000;

/**
 * The privacy ledger (docs/privacy.md). A look that goes on is one entry, prolonged while it lasts, so that a live map of
 * a thousand vehicles costs an entry for each driver and then a write every five minutes.
 */
export function createLedger({ db, log }: Pick<Context, 'db' | 'log'>): Ledger {
  /** By who looks, then by driver and kind. */
  const open = new Map<string, Map<number, Stretch[]>>();
  let fresh: Stretch[] = [];
  const changed = new Set<Stretch>();
  let writing: Promise<void> = Promise.resolve();
  let tidiedMs = Date.now();

  const touch = (known: Map<number, Stretch[]>, looker: Looker, look: Look, nowMs: number): Stretch => {
    const key = look.driverId * LOOK_KINDS.length + LOOK_KINDS.indexOf(look.kind);
    const of = known.get(key);
    const goesOn = of?.find(
      stretch =>
        nowMs - stretch.untilMs <= PAUSE_MS &&
        nowMs - stretch.beganMs < LONGEST_MS &&
        touches(stretch.period, look.period),
    );
    if (goesOn) {
      const { period } = goesOn;
      goesOn.untilMs = Math.max(goesOn.untilMs, nowMs);
      goesOn.period = both(period, look.period);
      if (goesOn.writtenUntilMs !== null) changed.add(goesOn);
      return goesOn;
    }
    const stretch: Stretch = {
      ...{ id: randomUUID(), looker, driverId: look.driverId, kind: look.kind, beganMs: nowMs, untilMs: nowMs },
      ...{ period: look.period, writtenUntilMs: null, writtenPeriod: null },
    };
    fresh.push(stretch);
    if (of) of.push(stretch);
    else known.set(key, [stretch]);
    return stretch;
  };

  const noted = (looker: Looker, looks: Iterable<Look>, nowMs: number): Stretch[] => {
    const who = `${looker.accountId} ${looker.userId} ${looker.via} ${looker.link?.id ?? ''}`;
    const known = open.get(who) ?? new Map<number, Stretch[]>();
    open.set(who, known);
    return Array.from(looks, look => touch(known, looker, look, nowMs));
  };

  const write = async (isDue: (stretch: Stretch) => boolean): Promise<void> => {
    for (let rows = fresh.splice(0, ROWS_A_STATEMENT); rows.length > 0; rows = fresh.splice(0, ROWS_A_STATEMENT)) {
      const written = rows.map(toRow);
      const refused = await insertEach(written).catch((error: unknown) => {
        fresh = [...rows, ...fresh];
        throw error;
      });
      noteWritten(rows, written);
      // What follows is an entry of its own.
      for (const stretch of rows) if (refused.has(stretch.id)) stretch.untilMs = Number.NEGATIVE_INFINITY;
    }
    const due = [...changed].filter(isDue);
    for (let i = 0; i < due.length; i += ROWS_A_STATEMENT) {
      const rows = due.slice(i, i + ROWS_A_STATEMENT);
      const written = rows.map(toRow);
      for (const stretch of rows) changed.delete(stretch);
      await prolong(written).catch((error: unknown) => {
        for (const stretch of rows) changed.add(stretch);
        throw error;
      });
      noteWritten(rows, written);
    }
  };
  /** One write at a time, so that an entry is there before it is prolonged. */
  const inTurn = (isDue: (stretch: Stretch) => boolean): Promise<void> => {
    const next = writing.then(() => write(isDue));
    writing = next.catch(() => {});
    return next;
  };

  const insert = async (rows: readonly Row[]) =>
    sql`
      insert into look (id, account_id, driver_id, kind, via, user_id, user_name, link_id, link_name, began_at, until_at,
        period_from, period_to)
      select given.id, given.account_id, given.driver_id, given.kind, given.via, given.user_id, person.display_name,
        given.link_id, given.link_name, given.began_at, given.until_at, given.period_from, given.period_to
      from ${givenRows(rows)}
      join driver on driver.account_id = given.account_id and driver.id = given.driver_id
      left join person on person.account_id = given.account_id and person.id = given.user_id
      on conflict (id) do nothing`.execute(db.system);
  /** An entry that the database refuses must not keep the others out, nor everyone from looking. */
  const insertEach = async (rows: readonly Row[]): Promise<ReadonlySet<string>> => {
    try {
      await insert(rows);
      return new Set();
    } catch (error) {
      const [first] = rows;
      if (!first || !isRefused(error)) throw error;
      if (rows.length === 1) {
        log.error({ err: error, entry: first }, 'The database refuses an entry of the privacy ledger');
        return new Set([first.id]);
      }
      const refused: string[] = [];
      for (const row of rows) refused.push(...(await insertEach([row])));
      return new Set(refused);
    }
  };
  const prolong = async (rows: readonly Row[]) =>
    sql`
      update look set until_at = given.until_at, period_from = given.period_from, period_to = given.period_to
      from ${givenRows(rows)} where look.id = given.id`.execute(db.system);

  /** Forgets what is over, and what its entry says in full. */
  const tidy = (nowMs: number): void => {
    tidiedMs = nowMs;
    for (const [who, known] of open) {
      for (const [key, stretches] of known) {
        const left = stretches.filter(one => nowMs - one.untilMs <= PAUSE_MS || one.writtenUntilMs === null);
        if (left.length === 0) known.delete(key);
        else if (left.length < stretches.length) known.set(key, left);
      }
      if (known.size === 0) open.delete(who);
    }
  };
  const isLate =
    (nowMs: number) =>
    ({ period, untilMs, writtenPeriod, writtenUntilMs }: Stretch): boolean =>
      untilMs - (writtenUntilMs ?? 0) >= PROLONG_EVERY_MS ||
      nowMs - untilMs > PAUSE_MS / 2 ||
      period?.fromMs !== writtenPeriod?.fromMs ||
      period?.toMs !== writtenPeriod?.toMs;

  const timer = setInterval(() => {
    const nowMs = Date.now();
    const isTidyDue = nowMs - tidiedMs >= TIDY_EVERY_MS;
    if (fresh.length === 0 && (changed.size === 0 || !isTidyDue)) return;
    inTurn(isTidyDue ? isLate(nowMs) : () => false).catch((error: unknown) =>
      log.error({ err: error }, 'Could not write the privacy ledger; trying again'),
    );
    if (isTidyDue) tidy(nowMs);
  }, WRITE_EVERY_MS);
  timer.unref();

  const settled: Ledger['settled'] = (isMeant = () => true) => inTurn(({ driverId }) => isMeant(driverId));
  return {
    note: (looker, looks, nowMs = Date.now()) => void noted(looker, looks, nowMs),
    record: async (looker, looks, nowMs = Date.now()) => {
      const stretches = noted(looker, looks, nowMs);
      if (stretches.some(({ writtenUntilMs }) => writtenUntilMs === null)) await inTurn(() => false);
    },
    settled,
    stop: async () => {
      clearInterval(timer);
      await settled();
    },
  };
}

/** Data or a constraint (PostgreSQL, appendix A, classes 22 and 23): trying again would not help. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));

/** The same time, or times that meet: not a replay of June and one of August. */
const touches = (a: Period | null, b: Period | null): boolean =>
  a === null || b === null ? a === b : a.fromMs <= b.toMs && b.fromMs <= a.toMs;

const both = (a: Period | null, b: Period | null): Period | null =>
  a && b && { fromMs: Math.min(a.fromMs, b.fromMs), toMs: Math.max(a.toMs, b.toMs) };

type Row = ReturnType<typeof toRow>;

const toRow = ({ beganMs, driverId, id, kind, looker, period, untilMs }: Stretch) => ({
  id,
  account_id: looker.accountId,
  driver_id: driverId,
  kind,
  via: looker.via,
  user_id: looker.userId,
  link_id: looker.link?.id ?? null,
  link_name: looker.link?.name ?? null,
  began_at: new Date(beganMs).toISOString(),
  until_at: new Date(untilMs).toISOString(),
  period_from: period && new Date(period.fromMs).toISOString(),
  period_to: period && new Date(period.toMs).toISOString(),
});

const givenRows = (rows: readonly Row[]) =>
  sql`json_populate_recordset(null::look, ${JSON.stringify(rows)}::json) as given`;

function noteWritten(stretches: readonly Stretch[], rows: readonly Row[]): void {
  for (const [i, stretch] of stretches.entries()) {
    const row = rows[i];
    if (!row) continue;
    stretch.writtenUntilMs = Date.parse(row.until_at);
    stretch.writtenPeriod =
      row.period_from === null || row.period_to === null
        ? null
        : { fromMs: Date.parse(row.period_from), toMs: Date.parse(row.period_to) };
  }
}
