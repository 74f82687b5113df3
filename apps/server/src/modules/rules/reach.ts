import { may, type PersonReach, type Reach, type RuleReach, type readRuleReach } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { mapInTurns } from '../../workers/turns.ts';
import { seesAlert } from '../alerts/audience.ts';
import { alertsToday, isBeyond } from '../notifications/daily-limit.ts';
import { type About, isRecipient } from '../notifications/is-recipient.ts';
import { type Reason, waitsUntil } from '../notifications/mail-preferences.ts';
import { type Recipient, readRecipients } from '../notifications/recipients.ts';
import { readSettings } from '../notifications/settings.ts';
import { refuseUnknown } from './unknown-parts.ts';
import { readWebhookReach } from './webhook-reach.ts';

type Asked = z.output<typeof readRuleReach.body>;
type Why = Reach['why'];
type Parts = Pick<Organisation, 'directory' | 'driving' | 'roster' | 'visibility'>;

/**
 * Whom a rule's alerts would reach, and whom those that nobody acknowledges, as everything is at this moment: asked of
 * the same code that sends them, about an alert of each of its vehicles.
 */
export async function readReach(
  { config, db, mailer }: Pick<Context, 'config' | 'db' | 'mailer'>,
  parts: Parts,
  session: Pick<Session, 'accountId' | 'permissions' | 'readOnly' | 'role' | 'scope'>,
  asked: Asked,
  now: Date,
): Promise<RuleReach> {
  const { accountId } = session;
  const { escalation, kind, mailTo, pushTo, ruleId, severity, vehicles, webhookIds } = asked;
  const ofRule = [...parts.directory.ofAccount(accountId)].filter(vehicle => isFor(vehicle, vehicles, parts));
  const { muted, settings, users, webhooks } = await db.asAccount(accountId, async trx => {
    await refuseUnknown(trx, { escalation, mailTo, pushTo, vehicles, webhookIds });
    const isQuiet = await readMuted(trx, accountId, ruleId, kind);
    const areQuiet = ofRule.length > 0 && ofRule.every(({ id }) => isQuiet.vehicles.has(id));
    const why = isQuiet.isMuted ? 'muted' : areQuiet ? 'vehicles-muted' : null;
    return {
      muted: isQuiet,
      settings: (await readSettings(trx)).settings,
      users: await readUsers(trx, asked, now),
      webhooks: await readWebhookReach(trx, config.webhooks, asked, may(session, 'settings.write'), why),
    };
  });
  const recipients = await readRecipients(db, accountId, 'all', 'push');
  const today = await alertsToday(db.system, accountId, [...recipients.values()], now);
  const about = ofRule.map(
    (vehicle): About => ({
      ...{ kind: asked.kind, vehicleId: vehicle.id, driverId: parts.driving.of(vehicle)?.driver.id ?? null },
      ...{ isMuted: muted.isMuted || muted.vehicles.has(vehicle.id), mutedBy: muted.mutedBy },
      ...{ taskBy: null, askedBy: null, mailTo, escalateTo: escalation?.to ?? null },
    }),
  );

  const reachOf = (user: UserRow, reason: Reason): PersonReach => {
    const recipient = recipients.get(user.id);
    const seen = recipient ? about.filter(alert => seesAlert(recipient.viewer, alert, parts)) : [];
    const held = recipient ? heldBy(recipient, { severity, reason }, today.get(user.id) ?? 0, now) : null;
    const quiet: Why | null =
      muted.isMuted || muted.mutedBy.includes(user.id)
        ? 'muted'
        : seen.length > 0 && seen.every(alert => alert.isMuted)
          ? 'vehicles-muted'
          : null;
    const reach = (gets: boolean, why: () => Why): Reach =>
      gets && quiet === null
        ? { gets, why: null, held }
        : { gets: false, why: whoCannot(user, recipient, seen.length) ?? quiet ?? why(), held: null };
    const isMailed = (alert: About): boolean =>
      recipient !== undefined && recipient.address !== '' && isRecipient(recipient, alert, reason, parts);
    const isLeftOut = (named: readonly string[] | null): boolean =>
      reason === 'opened' && named !== null && !named.includes(user.id);
    const takesPush = reason === 'opened' ? user.takes === true : (user.browsers ?? 0) > 0;
    return {
      ...{ id: user.id, name: user.display_name, seesVehicles: seen.length },
      mail: reach(mailer.works && seen.some(isMailed), () => {
        if (isLeftOut(mailTo)) return 'not-named';
        if (!mailer.works) return 'no-server';
        if (!settings.mail) return 'account-off';
        return recipient?.address === '' ? 'no-address' : 'not-chosen';
      }),
      push:
        reason === 'escalated'
          ? null
          : reach(seen.length > 0 && takesPush, () => {
              if (isLeftOut(pushTo)) return 'not-named';
              return user.browsers ? 'severity' : 'no-browser';
            }),
    };
  };

  const escalates = ((): Pick<NonNullable<RuleReach['escalation']>, 'by' | 'minutes'> | null => {
    if (escalation) return { by: 'rule', minutes: escalation.minutes };
    const { escalateAfterMinutes: minutes } = settings;
    return severity === 'critical' && minutes !== null ? { by: 'account', minutes } : null;
  })();
  const isEscalatedTo = ({ id }: UserRow): boolean =>
    escalation ? escalation.to.includes(id) : (recipients.get(id)?.getsEscalations ?? false);
  return {
    people: await mapInTurns(users, user => reachOf(user, 'opened')),
    webhooks,
    escalation: escalates && {
      ...escalates,
      people: await mapInTurns(users.filter(isEscalatedTo), user =>
        reachOf(user, escalates.by === 'rule' ? 'ruleEscalated' : 'escalated'),
      ),
    },
    vehicles: ofRule.length,
    isMuted: muted.isMuted,
  };
}

async function readMuted(
  trx: AccountTransaction,
  accountId: number,
  ruleId: string | null,
  kind: Asked['kind'],
): Promise<Pick<About, 'isMuted' | 'mutedBy'> & { readonly vehicles: ReadonlySet<number> }> {
  const rule = ruleId === null ? null : Number(ruleId);
  const { rows } = await sql<Pick<About, 'isMuted' | 'mutedBy'> & { readonly vehicles: readonly number[] }>`
    select rule_is_muted(${accountId}, ${rule}::int4, ${kind}, now()) as "isMuted",
      rule_muted_by(${accountId}, ${rule}::int4, ${kind}, now()) as "mutedBy",
      array(select distinct vehicle_id from vehicle_mute
        where vehicle_is_muted(account_id, vehicle_id, ${rule}::int4, ${kind}, now())) as vehicles`.execute(trx);
  const { isMuted = false, mutedBy = [], vehicles = [] } = rows[0] ?? {};
  return { isMuted, mutedBy, vehicles: new Set(vehicles) };
}

type UserRow = Awaited<ReturnType<typeof readUsers>>[number];

const readUsers = (trx: AccountTransaction, { pushTo, severity }: Asked, now: Date) =>
  trx
    .selectFrom('app_user')
    .select(['id', 'display_name'])
    .select(sql<boolean>`active and coalesce(expires_at > ${now}, true)`.as('isActive'))
    .select(sql<boolean>`password_hash is not null`.as('hasJoined'))
    .select(({ selectFrom }) => [
      selectFrom('push_subscription')
        .select(sql<number>`count(*)::int4`.as('count'))
        .whereRef('push_subscription.user_id', '=', 'app_user.id')
        .as('browsers'),
      selectFrom('push_subscription')
        .select(
          sql<boolean>`coalesce(bool_or(push_takes(severities, user_id, ${severity}, ${pushTo}::uuid[])), false)`.as(
            'takes',
          ),
        )
        .whereRef('push_subscription.user_id', '=', 'app_user.id')
        .as('takes'),
    ])
    .orderBy(sql`lower(display_name)`)
    .execute();

/** What holds whatever the way. */
function whoCannot(
  user: { readonly isActive: boolean; readonly hasJoined: boolean },
  recipient: Recipient | undefined,
  seen: number,
): Why {
  if (!user.isActive) return 'inactive';
  if (!user.hasJoined) return 'not-joined';
  if (!recipient) return 'no-right';
  return seen === 0 ? 'sees-none' : null;
}

function heldBy(
  recipient: Recipient,
  alert: { readonly severity: Asked['severity']; readonly reason: Reason },
  today: number,
  now: Date,
): Reach['held'] {
  if (waitsUntil(recipient, alert.severity, epochMs(now.getTime())) !== null) return 'quiet';
  return isBeyond(recipient, alert, today) ? 'limit' : null;
}

function isFor({ accountId, folderId, id }: DirectoryEntry, vehicles: Asked['vehicles'], { roster }: Parts): boolean {
  if (vehicles === null) return true;
  const folders = new Set(vehicles.folderIds.map(Number));
  return vehicles.deviceIds.includes(String(id)) || roster.isInside('folder', accountId, folderId, folders);
}
