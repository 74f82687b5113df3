import { randomBytes } from 'node:crypto';
import {
  CALENDARS_MAX,
  type Calendar,
  createCalendar,
  deleteCalendar,
  listCalendars,
  readCalendar,
} from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import { audit, authorOf } from '../audit/audit.ts';
import { eventsOf } from './events.ts';
import { writeCalendar } from './ics.ts';
import { findCalendar, hashOf } from './owner.ts';

/** `last_read_at` is only shown, so a minute is exact enough. */
const SEEN_EVERY_S = 60;

/** Calendars that programs subscribe to by a secret address: docs/integrations.md. */
export function registerCalendars(http: Http, { config, db, feed }: Context, organisation: Organisation): void {
  const baseUrl = config.http.publicUrl.replace(/\/$/, '');
  const { hostname: host } = new URL(config.http.publicUrl);

  http.handle(listCalendars, ({ session }) =>
    db.asAccount(session.accountId, async trx =>
      (
        await trx
          .selectFrom('calendar_link')
          .selectAll()
          .where('user_id', '=', session.userId)
          .orderBy('created_at')
          .orderBy('id')
          .execute()
      ).map(toCalendar),
    ),
  );

  http.handle(createCalendar, async call => {
    const { body, session } = call;
    const token = randomBytes(32).toString('base64url');
    const calendar = await db.asAccount(session.accountId, async trx => {
      // One after the other: two at once could be one too many.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`milepost-calendars ${session.userId}`}, 0))`.execute(
        trx,
      );
      const { count } = await trx
        .selectFrom('calendar_link')
        .select(trx.fn.countAll<string>().as('count'))
        .where('user_id', '=', session.userId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= CALENDARS_MAX) throw new AppError('too-many-calendars', { max: CALENDARS_MAX });
      const row = await trx
        .insertInto('calendar_link')
        .values({
          ...{ account_id: session.accountId, user_id: session.userId, name: body.name },
          ...{ parts: [...new Set(body.include)], token_hash: hashOf(token) },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit(trx, authorOf(call), {
        action: 'calendar.created',
        target: { id: row.id, name: body.name },
        changes: [{ field: 'include', from: null, to: row.parts.join(' ') }],
      });
      return toCalendar(row);
    });
    await feed.settled();
    return { ...calendar, path: `/api/v1/calendar_file/${token}.ics` };
  });

  http.handle(deleteCalendar, async call => {
    const { params, session } = call;
    await db.asAccount(session.accountId, async trx => {
      const deleted = await trx
        .deleteFrom('calendar_link')
        .where('id', '=', params.id)
        .where('user_id', '=', session.userId)
        .returning('name')
        .executeTakeFirst();
      if (!deleted) throw new AppError('not-found');
      await audit(trx, authorOf(call), {
        action: 'calendar.deleted',
        target: { id: params.id, name: deleted.name },
      });
    });
    await feed.settled();
    return { deleted: true as const, id: params.id };
  });

  http.handle(readCalendar, async ({ params }) => {
    const token = /^([\w-]{43})(?:\.ics)?$/.exec(params.file)?.[1];
    const calendar = token === undefined ? null : await findCalendar(db, token);
    if (!calendar) throw new AppError('not-found');
    const events = await db.asAccount(calendar.viewer.accountId, trx =>
      eventsOf(trx, calendar, { ...organisation, host, baseUrl }, Date.now()),
    );
    await db.system
      .updateTable('calendar_link')
      .set({ last_read_at: new Date() })
      .where('id', '=', calendar.id)
      .where(sql<boolean>`coalesce(last_read_at < now() - ${SEEN_EVERY_S} * interval '1 second', true)`)
      .execute();
    return new FileAnswer(writeCalendar(calendar.name, events), {
      type: 'text/calendar; charset=utf-8',
      saveAs: 'milepost.ics',
      cacheControl: 'private, no-cache',
      hasTag: true,
    });
  });
}

const toCalendar = (row: Selectable<Database['calendar_link']>): Calendar => ({
  id: row.id,
  name: row.name,
  include: row.parts,
  createdAt: row.created_at.toISOString(),
  lastReadAt: row.last_read_at?.toISOString() ?? null,
});
