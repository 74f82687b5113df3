import type { TestHttpServer } from './http-server.ts';

/** A driver for alerts to be about. */
export async function alertedDriver({ context, organisation }: TestHttpServer, accountId: number): Promise<number> {
  const { id } = await context.db.system
    .insertInto('driver')
    .values({ account_id: accountId, name: 'Dana' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await context.feed.settled();
  await organisation.roster.settled();
  return id;
}

/** What is in a driver's privacy ledger. */
export async function looksOf({ context, looks }: TestHttpServer, driverId: number) {
  await looks.ledger.settled();
  return context.db.system
    .selectFrom('look')
    .select(['kind', 'via', 'user_id', 'link_name', 'period_from'])
    .where('driver_id', '=', driverId)
    .orderBy('began_at')
    .execute();
}
