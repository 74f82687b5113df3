import type { RuleMute, RuleMutes } from '@milepost/contract';
import { sql } from 'kysely';
import { invalidField } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Session } from '../../http/session.ts';
import { audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';

/** One of the account's rules, or a kind of built-in alerts; each with the name that the audit log gives it. */
export type Mutable =
  | { readonly ruleId: number; readonly name: string }
  | { readonly kind: string; readonly name: string };

export type Mute = { readonly until: string | null } | null;

const NOT_MUTED: RuleMutes = { everyone: null, me: null };

/** What is muted right now, for everyone and for the viewer: by the rule's ID, or the built-in alert's kind. */
export async function readMutes(
  trx: AccountTransaction,
  { userId }: Pick<Session, 'userId'>,
): Promise<(about: string | number) => RuleMutes> {
  const rows = await trx
    .selectFrom('rule_mute')
    .leftJoin('person', join =>
      join.onRef('person.account_id', '=', 'rule_mute.account_id').onRef('person.id', '=', 'rule_mute.begun_by'),
    )
    .select(['about', 'user_id', 'begun_at', 'ends_at', 'person.display_name as by'])
    .where(sql<boolean>`coalesce(ends_at > now(), true)`)
    .where(({ eb, or }) => or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
    .execute();
  const known = new Map<string, RuleMutes>();
  for (const { about, begun_at, by, ends_at, user_id } of rows) {
    const mute: RuleMute = { until: ends_at?.toISOString() ?? null, since: begun_at.toISOString(), by };
    known.set(about, { ...(known.get(about) ?? NOT_MUTED), [user_id === null ? 'everyone' : 'me']: mute });
  }
  return about => known.get(String(about)) ?? NOT_MUTED;
}

/** Mutes for everyone or for the caller, or ends that; returns what is muted then. What has ended on its own goes, too. */
export async function setMute(
  trx: AccountTransaction,
  { author, session }: By,
  about: Mutable,
  who: 'everyone' | 'me',
  mute: Mute,
): Promise<RuleMutes> {
  const { accountId, userId } = session;
  const until = mute?.until ?? null;
  if (until !== null && Date.parse(until) <= Date.now()) throw invalidField('mute', 'mute-in-past', {});
  const isRule = 'ruleId' in about;
  const key = isRule ? about.ruleId : about.kind;
  const before = (await readMutes(trx, session))(key)[who];
  await trx
    .deleteFrom('rule_mute')
    .where('about', '=', String(key))
    .where('user_id', who === 'me' ? '=' : 'is', who === 'me' ? userId : null)
    .execute();
  if (mute !== null) {
    await trx
      .insertInto('rule_mute')
      .values({
        ...{ account_id: accountId, rule_id: isRule ? about.ruleId : null, kind: isRule ? null : about.kind },
        ...{
          user_id: who === 'me' ? userId : null,
          begun_by: userId,
          ends_at: until === null ? null : new Date(until),
        },
      })
      .execute();
  }
  const from = saidOfMute(before);
  const to = saidOfMute(mute);
  const after = (await readMutes(trx, session))(key);
  if (from === to) return after;
  await audit(trx, author, {
    action: `${isRule ? 'rule' : 'built-in-rule'}.${mute === null ? 'unmuted' : 'muted'}`,
    target: { id: key, name: about.name },
    changes: [{ field: who === 'me' ? 'muteForMe' : 'muteForEveryone', from, to }],
  });
  return after;
}

/** As the audit log says it. */
export const saidOfMute = (mute: Mute): string | null => (mute === null ? null : (mute.until ?? 'always'));
