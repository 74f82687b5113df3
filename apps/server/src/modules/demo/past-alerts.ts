import { type BacktestAlert, RULE_ALERT_DAYS } from '@milepost/contract';
import type { RuleEvent } from '@milepost/geo';
import { celsius, fromKilometresPerHour, percent, volts } from '@milepost/units';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { shareWithFixesBefore } from '../../tracks/recent-fixes.ts';
import type { Workers } from '../../workers/workers.ts';
import { backtest } from '../rules/backtest.ts';
import { type RuleRow, readParts, termsOfRow } from '../rules/rule-terms.ts';
import { writePast } from '../rules/write-alerts.ts';
import { DEMO_RULES } from './rules.ts';

const DAY_MS = 24 * 3_600_000;
/** The past comes a week at a time, the newest first: a vehicle with fixes of then has all of the last week. */
const COMPLETE_AFTER_DAYS = 15;
/** Of the vehicles that report; one or two may have been silent for as long. */
const COMPLETE_SHARE = 0.9;
/** What the people of the demo acted on: of so many alerts one, and how long it took them. */
const ACTED_ON: Readonly<Record<string, { readonly oneIn: number; readonly afterMinutes: number }>> = {
  critical: { oneIn: 1, afterMinutes: 4 },
  warning: { oneIn: 2, afterMinutes: 11 },
  info: { oneIn: 12, afterMinutes: 45 },
};
const NOTE = 'The dock was taken. The customer signed for the wait.';
const DISPATCHER = 'demo-dispatcher';

type Parts = Pick<Organisation, 'directory' | 'driving' | 'roster' | 'visibility'> & { readonly workers: Workers };

/**
 * Gives the demo the alerts that its rules would have made in the last week, as soon as the positions of that week are
 * there: found as a test on the past finds them, written as those that become known late. Some were acted on.
 */
export async function addPastAlerts(context: Pick<Context, 'db' | 'log'>, parts: Parts, nowMs: number): Promise<void> {
  const { db, log } = context;
  const account = await db.system
    .selectFrom('account')
    .innerJoin('app_user', 'app_user.account_id', 'account.id')
    .select(['account.id', 'account.created_at', 'app_user.id as user_id'])
    .where('account.demo', '=', true)
    .where('app_user.user_name', '=', DISPATCHER)
    .executeTakeFirst();
  if (!account) return;
  const { id: accountId, created_at: begun, user_id: userId } = account;
  if (!(await isWanted(context, accountId, begun, nowMs))) return;
  const viewer: Viewer = { accountId, userId, role: 'owner', scope: null };
  const from = new Date(begun.getTime() - RULE_ALERT_DAYS * DAY_MS).toISOString();
  const rows = await db.asAccount(accountId, trx =>
    trx.selectFrom('rule').selectAll().where('is_on', '=', true).where('built_in', 'is', null).orderBy('id').execute(),
  );
  const found: { readonly rule: RuleRow; readonly alerts: readonly BacktestAlert[] }[] = [];
  for (const rule of rows) {
    const { geofenceIds, vehicles } = (await db.asAccount(accountId, trx => readParts(trx, [rule.id])))(rule.id);
    const period = { from, to: begun.toISOString(), variants: [] };
    const alerts: BacktestAlert[] = [];
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const terms = { ...termsOfRow(rule, geofenceIds), vehicles: rule.is_for_all ? null : vehicles };
      const asked = { rule: terms, ...period, after };
      const part = await backtest(context, parts, viewer, asked);
      alerts.push(...part.alerts);
      after = part.next;
    }
    found.push({ rule, alerts });
  }
  // All of them or none, so that a server that stops here does it again.
  await db.asAccount(accountId, async trx => {
    for (const { alerts, rule } of found) {
      for (const [deviceId, theirs] of Map.groupBy(alerts, alert => alert.deviceId)) {
        const vehicle = parts.directory.findById(Number(deviceId));
        const about = { vehicleId: Number(deviceId), accountId, driverId: vehicle?.usualDriverId ?? null, nowMs };
        const events = theirs.map(alert => ({
          ...alert,
          figures: figuresOf(alert),
          endedAt: alert.endedAt ?? alert.at,
        }));
        await writePast(trx, about, rule.id, events);
      }
      const { afterMinutes, oneIn } = ACTED_ON[rule.severity] ?? { oneIn: 1, afterMinutes: 5 };
      const { actedOnMinutes = null } = DEMO_RULES.find(({ name }) => name === rule.name) ?? {};
      const note = rule.needs_note ? NOTE : null;
      await sql`
        update alert set acknowledged_by = ${userId}, note = ${note},
          acknowledged_at = opened_at + (${afterMinutes} + n % 7) * interval '1 min'
        from (
          select id, closed_at - began_at as lasted, row_number() over (order by opened_at, id) as n from alert
          where rule_id = ${rule.id} and opened_at < ${begun}
        ) as past
        where alert.id = past.id and case when ${actedOnMinutes}::int4 is null then n % ${oneIn} = 0
          else lasted >= make_interval(mins => ${actedOnMinutes}::int4) end`.execute(trx);
    }
  });
  log.info({ alerts: found.reduce((sum, { alerts }) => sum + alerts.length, 0) }, 'Added the demo’s past alerts');
}

/** The past is there, and its alerts aren't. */
async function isWanted({ db }: Pick<Context, 'db'>, accountId: number, begun: Date, nowMs: number): Promise<boolean> {
  // An older demo has had its own alerts since.
  if (nowMs - begun.getTime() > DAY_MS) return false;
  const known = await db.system
    .selectFrom('alert')
    .select('id')
    .where('account_id', '=', accountId)
    .where('rule_id', 'is not', null)
    .where('opened_at', '<', new Date(begun.getTime() - DAY_MS))
    .limit(1)
    .executeTakeFirst();
  if (known) return false;
  const complete = new Date(begun.getTime() - COMPLETE_AFTER_DAYS * DAY_MS);
  return (await shareWithFixesBefore(db.system, accountId, complete)) >= COMPLETE_SHARE;
}

function figuresOf({ figures: { battery, fuelLost, speed, supply, temp } }: BacktestAlert): RuleEvent['figures'] {
  if (speed !== null) return { speed: fromKilometresPerHour(speed) };
  if (temp !== null) return { temperature: celsius(temp) };
  if (battery !== null) return { battery: percent(battery) };
  if (supply !== null) return { supply: volts(supply) };
  return fuelLost === null ? null : { fuel: percent(fuelLost) };
}
