import {
  CHANGEABLE_BUILT_IN_KINDS,
  type listVehicleMutes,
  type muteVehicle,
  type RouteAnswer,
  type RouteParsed,
  type VehicleMute,
} from '@milepost/contract';
import { sql } from 'kysely';
import { AppError, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { saidOfMute } from './mutes.ts';

type Body = RouteParsed<typeof muteVehicle>['body'];

export interface VehicleMutes {
  list(viewer: Session): Promise<RouteAnswer<typeof listVehicleMutes>>;
  mute(by: By, vehicleId: number, body: Body): Promise<RouteAnswer<typeof muteVehicle>>;
}

/** Alerts of single vehicles that notify nobody for a while. */
export function createVehicleMutes(
  { db }: Pick<Context, 'db'>,
  { visibility }: Pick<Organisation, 'visibility'>,
): VehicleMutes {
  return {
    list: async viewer => {
      const seen = visibility.seesAll(viewer) ? null : visibility.vehicles(viewer).map(({ id }) => id);
      return db.asAccount(viewer.accountId, trx => read(trx, seen));
    },

    mute: ({ author, session }, vehicleId, { about, mute }) => {
      const vehicle = visibility.heldVehicle(session, vehicleId);
      const until = mute?.until ?? null;
      if (until !== null && Date.parse(until) <= Date.now()) throw invalidField('mute', 'mute-in-past', {});
      const target = { id: vehicle.id, name: vehicle.name };
      return db.asAccount(session.accountId, async trx => {
        const isKind = about !== null && CHANGEABLE_BUILT_IN_KINDS.some(kind => kind === about);
        const ruleId = about === null || isKind ? null : Number(about);
        const rule = ruleId === null ? null : await ownRule(trx, ruleId);
        const before = (await read(trx, [vehicle.id])).find(one => one.about === about) ?? null;
        await trx
          .deleteFrom('vehicle_mute')
          .where('vehicle_id', '=', vehicle.id)
          .where('about', '=', about ?? '')
          .execute();
        if (mute !== null) {
          await trx
            .insertInto('vehicle_mute')
            .values({
              ...{ account_id: session.accountId, vehicle_id: vehicle.id, rule_id: ruleId },
              ...{ kind: isKind ? about : null, begun_by: session.userId },
              ends_at: until === null ? null : new Date(until),
            })
            .execute();
        }
        const [from, to] = [saidOfMute(before), saidOfMute(mute)];
        if (from !== to) {
          const field = about === null ? 'muteOfAlerts' : isKind ? 'muteOfKind' : 'muteOfRule';
          await audit(trx, author, {
            ...{ action: mute === null ? 'vehicle.unmuted' : 'vehicle.muted', target },
            changes: [
              { field, from, to },
              ...(about === null ? [] : [{ field: 'mutedAlerts', from: null, to: rule?.name ?? about }]),
            ],
          });
        }
        return read(trx, [vehicle.id]);
      });
    },
  };
}

async function ownRule(trx: AccountTransaction, id: number): Promise<{ readonly name: string }> {
  const rule = await trx
    .selectFrom('rule')
    .select('name')
    .where('id', '=', id)
    .where('built_in', 'is', null)
    .executeTakeFirst();
  if (!rule) throw new AppError('not-found');
  return rule;
}

/** What is muted right now of these vehicles; null: of all. */
async function read(trx: AccountTransaction, vehicleIds: readonly number[] | null): Promise<VehicleMute[]> {
  const rows = await trx
    .selectFrom('vehicle_mute')
    .leftJoin('person', join =>
      join.onRef('person.account_id', '=', 'vehicle_mute.account_id').onRef('person.id', '=', 'vehicle_mute.begun_by'),
    )
    .innerJoin('vehicle', 'vehicle.id', 'vehicle_mute.vehicle_id')
    .leftJoin('rule', 'rule.id', 'vehicle_mute.rule_id')
    .select(['vehicle_mute.vehicle_id', 'rule_id', 'kind', 'begun_at', 'ends_at', 'vehicle.name as vehicle'])
    .select(['rule.name', 'person.display_name as by'])
    .where(sql<boolean>`coalesce(ends_at > now(), true)`)
    .$if(vehicleIds !== null, query =>
      query.where('vehicle_mute.vehicle_id', '=', sql<number>`any(${vehicleIds}::int4[])`),
    )
    .orderBy('vehicle.name')
    .orderBy('about')
    .execute();
  return rows.map(row => ({
    deviceId: String(row.vehicle_id),
    deviceName: row.vehicle,
    about: row.rule_id === null ? row.kind : String(row.rule_id),
    name: row.name,
    until: row.ends_at?.toISOString() ?? null,
    since: row.begun_at.toISOString(),
    by: row.by,
  }));
}
