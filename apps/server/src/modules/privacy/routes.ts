import {
  LOOK_KINDS,
  type Look,
  listLooksOf,
  listMyLooks,
  type RouteAnswer,
  readMyPrivacy,
  readPrivacyOverview,
} from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import { audit, authorOf } from '../audit/audit.ts';
import { importedAt } from '../audit/imported-at.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import type { Ledger } from './ledger.ts';
import { privateTimeOf } from './private-time.ts';
import { linksOf, viewersOf } from './who-sees.ts';

export interface PrivacyParts extends Organisation {
  readonly ledger: Ledger;
}

const PAGE = 200;
const OVERVIEW_MS = 30 * 24 * 3_600_000;
/** Whoever reads on in the same ledger is in the audit log once. */
const NOTED_ONCE_IN = "interval '1 hour'";

const NO_PRIVATE_TIME = {
  ...{ isNow: false, driveSince: null, noDrive: 'no-vehicle', personalUse: false, hours: [], openings: [] },
} satisfies RouteAnswer<typeof readMyPrivacy>['privateTime'];

export function registerPrivacy(http: Http, context: Context, parts: PrivacyParts): void {
  const { db } = context;
  const { driving, directory, ledger, roster } = parts;

  http.handle(readMyPrivacy, async ({ session: { accountId, userId } }) =>
    db.asAccount(accountId, async trx => {
      const { keepLooksDays, keepPositionsDays } = (await readAccountSettings(trx)).settings;
      const kept = { keepLooksDays, keepPositionsDays };
      const driver = roster.driverOfUser(accountId, userId);
      if (!driver)
        return { driver: null, vehicle: null, ...kept, viewers: [], links: [], privateTime: NO_PRIVATE_TIME };
      const placed = driving.vehicleOf(accountId, driver);
      const vehicle = placed && directory.findById(placed.id);
      return {
        driver: { id: String(driver.id), name: driver.name, hasCard: driver.card !== null },
        vehicle: vehicle && { id: String(vehicle.id), deviceName: vehicle.name },
        ...kept,
        viewers: await viewersOf(trx, parts, accountId, driver),
        links: await linksOf(trx, parts, accountId, driver),
        privateTime: await privateTimeOf(trx, parts, accountId, driver),
      };
    }),
  );

  http.handle(listMyLooks, async ({ query, session: { accountId, userId } }) => {
    const driver = roster.driverOfUser(accountId, userId);
    if (!driver) return { looks: [], next: null };
    await ledger.settled(id => id === driver.id);
    return db.asAccount(accountId, trx => readLooks(trx, driver.id, query));
  });

  http.handle(listLooksOf, async ({ params, query, request, session }) => {
    const id = Number(params.id);
    await ledger.settled(driverId => driverId === id);
    return db.asAccount(session.accountId, async trx => {
      const driver = await trx.selectFrom('driver').select('name').where('id', '=', id).executeTakeFirst();
      if (!driver) throw new AppError('not-found');
      const known = await trx
        .selectFrom('audit_entry')
        .select('id')
        .where('action', '=', 'privacy.ledger-read')
        .where('user_id', '=', session.userId)
        .where('target_id', '=', String(id))
        .where('at', '>', sql<Date>`now() - ${sql.raw(NOTED_ONCE_IN)}`)
        .executeTakeFirst();
      if (!known) {
        await audit(trx, authorOf({ session, request }), {
          action: 'privacy.ledger-read',
          target: { id, name: driver.name },
        });
      }
      return readLooks(trx, id, query);
    });
  });

  http.handle(readPrivacyOverview, async ({ session }) => {
    await ledger.settled(() => false);
    const from = new Date(Date.now() - OVERVIEW_MS);
    return db.asAccount(session.accountId, async trx => {
      const { keepLooksDays } = (await readAccountSettings(trx)).settings;
      const counts = await trx
        .selectFrom('look')
        .select('kind')
        .select(({ fn }) => [
          fn.countAll<string>().as('looks'),
          fn.count<string>('user_id').distinct().as('people'),
          fn.count<string>('driver_id').distinct().as('drivers'),
        ])
        .where('account_id', '=', session.accountId)
        .where('began_at', '>=', from)
        .groupBy('kind')
        .execute();
      const drivers = [...roster.driversOf(session.accountId)];
      return {
        from: from.toISOString(),
        keepLooksDays,
        drivers: drivers.length,
        driversWithAccess: drivers.filter(({ userId }) => userId !== null).length,
        kinds: LOOK_KINDS.flatMap(kind => {
          const found = counts.find(row => row.kind === kind);
          if (!found) return [];
          const { drivers: of, looks, people } = found;
          return [{ kind, looks: Number(looks), people: Number(people), drivers: Number(of) }];
        }),
      };
    });
  });
}

/** `before` is the begin and the ID of the last entry of the page before. */
async function readLooks(
  trx: AccountTransaction,
  driverId: number,
  { before, from, to }: { readonly before?: string | undefined; readonly from: string; readonly to: string },
): Promise<RouteAnswer<typeof listMyLooks>> {
  const [beganAt, id] = before?.split(' ') ?? [];
  const rows = await trx
    .selectFrom('look')
    .selectAll()
    .where('driver_id', '=', driverId)
    .where('until_at', '>=', new Date(from))
    .where('began_at', '<=', new Date(to))
    .$if(before !== undefined, query =>
      query.where(sql<boolean>`(began_at, id) < (${new Date(Number(beganAt) || 0)}, ${uuidOr(id)}::uuid)`),
    )
    .orderBy('began_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    looks: page.map(row => ({
      id: row.id,
      // The server alone writes the ledger.
      kind: row.kind as Look['kind'],
      via: row.via as Look['via'],
      user: row.user_id === null || row.user_name === null ? null : { id: row.user_id, name: row.user_name },
      link: row.link_id === null ? null : { id: String(row.link_id), name: row.link_name },
      beganAt: row.began_at.toISOString(),
      untilAt: row.until_at.toISOString(),
      period:
        row.period_from && row.period_to
          ? { from: row.period_from.toISOString(), to: row.period_to.toISOString() }
          : null,
      ...importedAt(row),
    })),
    next: last && rows.length > PAGE ? `${last.began_at.getTime()} ${last.id}` : null,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const uuidOr = (text: string | undefined): string =>
  text !== undefined && UUID.test(text) ? text : '00000000-0000-0000-0000-000000000000';
