import { createHash } from 'node:crypto';
import { RULE_ALERT_DAYS } from '@milepost/contract';
import { zoneNamed } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Mail } from '../../mail/mailer.ts';
import { type Recipient, readRecipients } from '../notifications/recipients.ts';
import { TEXTS } from '../notifications/texts/texts.ts';
import { NOISE_TEXTS } from './noise-texts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** By the account's clocks, on Mondays from this hour on. */
const FROM_HOUR = 7;
/** So many alerts of which fewer than one in five was acknowledged are noise, and any number if none was. */
const MANY = 10;
const SHARE = 1 / 5;

type NoiseContext = Pick<Context, 'config' | 'db' | 'log' | 'mailer'>;
type NoiseParts = Pick<Organisation, 'visibility'>;

interface Alerts {
  readonly ruleId: number;
  readonly vehicleId: number;
  readonly count: number;
  readonly acknowledged: number;
}

interface WatchedRule {
  readonly id: number;
  readonly name: string;
  readonly ownerId: string | null;
}

/**
 * Sends the weekly email on rules that nobody acts on, to their owners, if their account sends alerts by email. A rule
 * without an owner who gets emails is that of the account's owners and admins. If the server stops between sending and
 * noting it, the same email goes out again under the same Message-ID.
 */
export async function sendNoiseReports(context: NoiseContext, parts: NoiseParts, now: Date): Promise<void> {
  const { db, log } = context;
  const accounts = await db.system
    .selectFrom('notification_setting')
    .select('account_id')
    .where('mail', '=', true)
    .execute();
  for (const { account_id: accountId } of accounts) {
    try {
      await sendOf(context, parts, accountId, now);
    } catch (error) {
      log.error({ err: error, accountId }, 'Could not send the weekly email on rules; it is tried again in an hour');
    }
  }
}

async function sendOf(
  { config, db, mailer }: NoiseContext,
  parts: NoiseParts,
  accountId: number,
  now: Date,
): Promise<void> {
  const recipients = [...(await readRecipients(db, accountId)).values()];
  const week = weekOf(recipients[0]?.organisation.timeZone, now);
  if (week === null) return;
  const { system } = db;
  const sent = await system
    .selectFrom('rule_noise_mail')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('week', '=', week)
    .execute();
  const rules = await system
    .selectFrom('rule')
    .select(['id', 'name', 'owner_id as ownerId'])
    .where('account_id', '=', accountId)
    .where('is_on', '=', true)
    .where('built_in', 'is', null)
    .orderBy(sql`lower(name)`)
    .execute();
  if (rules.length === 0) return;
  const { rows: alerts } = await sql<Alerts>`
    select rule_id as "ruleId", vehicle_id as "vehicleId", count(*)::int4 as count,
      count(acknowledged_by)::int4 as acknowledged
    from alert
    where account_id = ${accountId} and rule_id is not null and not late
      and opened_at > ${now}::timestamptz - make_interval(days => ${RULE_ALERT_DAYS}) and opened_at <= ${now}
    group by rule_id, vehicle_id`.execute(system);
  const known = new Set(recipients.map(({ viewer }) => viewer.userId));
  for (const recipient of recipients) {
    const { userId } = recipient.viewer;
    if (sent.some(row => row.user_id === userId)) continue;
    const own = rules.filter(({ ownerId }) =>
      ownerId !== null && known.has(ownerId) ? ownerId === userId : recipient.getsEscalations,
    );
    const noisy = noisyOf(own, alerts, recipient, parts);
    if (noisy.length === 0) continue;
    const mails = await system
      .selectFrom('alert_mail')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('user_id', '=', userId)
      .where('sent_at', '>', new Date(now.getTime() - RULE_ALERT_DAYS * DAY_MS))
      .executeTakeFirstOrThrow();
    const mail = compose(recipient, noisy, Number(mails.count), config.http.publicUrl);
    const outcome = await mailer.deliver({ ...mail, id: idOf(userId, week) });
    if (outcome !== 'sent') continue;
    await system
      .insertInto('rule_noise_mail')
      .values({ account_id: accountId, user_id: userId, week })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
}

/** The date of this Monday, from the morning on; null at any other time. */
function weekOf(timeZone: string | undefined, now: Date): string | null {
  if (timeZone === undefined) return null;
  const at = epochMs(now.getTime());
  const local = new Date(at + (zoneNamed(timeZone)?.offsetAt(at) ?? 0));
  return local.getUTCDay() === 1 && local.getUTCHours() >= FROM_HOUR ? local.toISOString().slice(0, 10) : null;
}

interface Noisy {
  readonly rule: WatchedRule;
  readonly count: number;
  readonly acknowledged: number;
}

/** Of the vehicles that the reader sees. */
function noisyOf(
  rules: readonly WatchedRule[],
  alerts: readonly Alerts[],
  { viewer }: Recipient,
  { visibility }: NoiseParts,
): Noisy[] {
  const seen = visibility.seesAll(viewer) ? null : new Set(visibility.vehicles(viewer).map(({ id }) => id));
  return rules
    .map(rule => {
      const own = alerts.filter(({ ruleId, vehicleId }) => ruleId === rule.id && (seen?.has(vehicleId) ?? true));
      const sum = (of: 'count' | 'acknowledged'): number => own.reduce((total, each) => total + each[of], 0);
      return { rule, count: sum('count'), acknowledged: sum('acknowledged') };
    })
    .filter(
      ({ acknowledged, count }) => count > 0 && (acknowledged === 0 || (count >= MANY && acknowledged < count * SHARE)),
    )
    .toSorted((a, b) => b.count - a.count);
}

function compose(
  { address, language, name }: Recipient,
  noisy: readonly Noisy[],
  mails: number,
  publicUrl: string,
): Mail {
  const texts = NOISE_TEXTS[language];
  const perDay = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(mails / RULE_ALERT_DAYS);
  const paragraphs = [
    TEXTS[language].hello(name),
    texts.intro,
    ...noisy.map(
      ({ acknowledged, count, rule }) =>
        `${texts.rule(rule.name, count, acknowledged)}\n${publicUrl}/rules?open=${rule.id}`,
    ),
    texts.hint,
    texts.mails(mails, perDay),
  ];
  return { to: address, subject: texts.subject(noisy.length), text: `${paragraphs.join('\n\n')}\n` };
}

/** The same for the same week. */
const idOf = (userId: string, week: string): string =>
  createHash('sha256').update(`rule-noise ${userId} ${week}`).digest('hex').slice(0, 32);
