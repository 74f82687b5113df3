import type { Reach, RuleReach, readRuleReach } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { mapInTurns } from '../../workers/turns.ts';
import { seesAlert } from '../alerts/audience.ts';
import { alertsToday, isBeyond } from '../notifications/daily-limit.ts';
import { type About, isRecipient } from '../notifications/is-recipient.ts';
import { waitsUntil } from '../notifications/mail-preferences.ts';
import { type Recipient, readRecipients } from '../notifications/recipients.ts';
import { refuseUnknown } from './unknown-parts.ts';

type Asked = z.output<typeof readRuleReach.body>;
type Why = Reach['why'];
type Parts = Pick<Organisation, 'directory' | 'driving' | 'roster' | 'visibility'>;

/**
 * Whom a rule's alerts would reach by email and push, as everything is at this moment: asked of the same code that
 * sends them, about an alert of each of its vehicles.
 */
export async function readReach(
  { db, mailer }: Pick<Context, 'db' | 'mailer'>,
  parts: Parts,
  { accountId }: Pick<Session, 'accountId'>,
  { mailTo, pushTo, severity, vehicles }: Asked,
  now: Date,
): Promise<RuleReach> {
  const users = await db.asAccount(accountId, async trx => {
    await refuseUnknown(trx, { mailTo, pushTo, vehicles });
    return trx
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
  });
  const recipients = await readRecipients(db, accountId, 'all', 'push');
  const today = await alertsToday(db.system, accountId, [...recipients.values()], now);
  const ofRule = [...parts.directory.ofAccount(accountId)].filter(vehicle => isFor(vehicle, vehicles, parts));
  const about = ofRule.map(
    (vehicle): About => ({
      ...{ kind: 'rule', vehicleId: vehicle.id, driverId: parts.driving.of(vehicle)?.driver.id ?? null },
      ...{ taskBy: null, askedBy: null, mailTo, escalateTo: null },
    }),
  );
  const people = await mapInTurns(users, user => {
    const recipient = recipients.get(user.id);
    const seen = recipient ? about.filter(alert => seesAlert(recipient.viewer, alert, parts)) : [];
    const held = recipient ? heldBy(recipient, severity, today.get(user.id) ?? 0, now) : null;
    const reach = (gets: boolean, why: () => Why): Reach =>
      gets ? { gets, why: null, held } : { gets, why: whoCannot(user, recipient, seen.length) ?? why(), held: null };
    const isMailed = (alert: About): boolean =>
      recipient !== undefined && recipient.address !== '' && isRecipient(recipient, alert, 'opened', parts);
    return {
      ...{ id: user.id, name: user.display_name, seesVehicles: seen.length },
      mail: reach(mailer.works && seen.some(isMailed), () => {
        if (mailTo !== null && !mailTo.includes(user.id)) return 'not-named';
        if (!mailer.works) return 'no-server';
        if (recipient?.organisation.settings.mail === false) return 'account-off';
        return recipient?.address === '' ? 'no-address' : 'not-chosen';
      }),
      push: reach(seen.length > 0 && user.takes === true, () => {
        if (pushTo !== null && !pushTo.includes(user.id)) return 'not-named';
        return user.browsers ? 'severity' : 'no-browser';
      }),
    };
  });
  return { people, vehicles: ofRule.length };
}

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

function heldBy(recipient: Recipient, severity: Asked['severity'], today: number, now: Date): Reach['held'] {
  if (waitsUntil(recipient, severity, epochMs(now.getTime())) !== null) return 'quiet';
  return isBeyond(recipient, { severity, reason: 'opened' }, today) ? 'limit' : null;
}

function isFor({ accountId, folderId, id }: DirectoryEntry, vehicles: Asked['vehicles'], { roster }: Parts): boolean {
  if (vehicles === null) return true;
  const folders = new Set(vehicles.folderIds.map(Number));
  return vehicles.deviceIds.includes(String(id)) || roster.isInside('folder', accountId, folderId, folders);
}
