import { BUILT_IN_KINDS, casesOf, isAboutOthers, RULES_MAX, type RuleTrigger } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import { refuseImpossibleShape } from '../geofences/shapes.ts';
import type { ImportContext, Takes } from './import-desk.ts';
import type { NumberedTable } from './kept-ids.ts';
import type { Row } from './rows.ts';

export type RuleTable = 'geofence_group' | 'geofence' | 'geofence_vehicle' | 'rule' | 'rule_geofence' | 'rule_vehicle';

/** Geofences, rules and changed built-in alerts. Each answers whether its row came. */
export function takesOfRules({ accountId, ids, personOf, trx, userOf }: ImportContext): Takes<RuleTable> {
  const account = { account_id: accountId };
  let rules = 0;
  /** The ID that something has here; null if it is not in the file. */
  const idOf = (table: NumberedTable, old: number | null): number | null => ids.of(table).get(old);

  /** Those who came. If nobody did, everyone: an alert is not to be lost. */
  const those = <T>(old: readonly T[] | null, find: (one: T) => T | null): T[] | null => {
    const came = old?.flatMap(one => find(one) ?? []);
    return came && (came.length > 0 || old?.length === 0) ? came : null;
  };
  const people = (old: readonly string[] | null): string[] | null => those(old, userOf);

  /** With new ids in place of old ones; whole, unless something that it named is not in the file. */
  const named = ({ conditions, trigger }: Pick<Row<'rule'>, 'conditions' | 'trigger'>) => {
    // A built-in rule has none.
    const about = 'kind' in trigger ? (trigger as RuleTrigger) : null;
    const lists: (readonly [of: NumberedTable, ids: readonly string[]])[] = [];
    const renamed = (of: NumberedTable, ids: readonly string[]): string[] => {
      lists.push([of, ids]);
      return ids.flatMap(old => idOf(of, Number(old)) ?? []).map(String);
    };
    const [first, ...or] = casesOf(conditions).map(one => ({
      ...one,
      drivers: one.drivers && {
        driverIds: renamed('driver', one.drivers.driverIds),
        departmentIds: renamed('department', one.drivers.departmentIds),
      },
      vehicles: one.vehicles && {
        folderIds: renamed('folder', one.vehicles.folderIds),
        deviceIds: renamed('vehicle', one.vehicles.deviceIds),
      },
      places: one.places && { ...one.places, geofenceIds: renamed('geofence', one.places.geofenceIds) },
    }));
    return {
      trigger:
        about && isAboutOthers(about)
          ? {
              ...about,
              otherIds: renamed('vehicle', about.otherIds),
              otherFolderIds: renamed('folder', about.otherFolderIds),
            }
          : trigger,
      conditions: first ? { ...first, or } : null,
      isWhole: lists.every(([of, ids]) => ids.every(old => idOf(of, Number(old)) !== null)),
    };
  };

  return {
    geofence_group: async ({ id, ...group }) => {
      await ids.add('geofence_group', id, { ...group, ...account });
      return true;
    },
    geofence: async ({ created_by, id, group_id, shape, ...geofence }) => {
      refuseImpossibleShape(shape);
      const of = { ...account, group_id: idOf('geofence_group', group_id), shape, created_by: personOf(created_by) };
      await ids.add('geofence', id, { ...geofence, ...of });
      return true;
    },
    geofence_vehicle: async row => {
      const geofence = idOf('geofence', row.geofence_id);
      const of = { folder_id: idOf('folder', row.folder_id), vehicle_id: idOf('vehicle', row.vehicle_id) };
      if (geofence === null || (of.folder_id === null) === (of.vehicle_id === null)) return false;
      await trx
        .insertInto('geofence_vehicle')
        .values({ ...of, ...account, geofence_id: geofence })
        .execute();
      return true;
    },
    rule: async ({
      created_by,
      escalate_minutes,
      escalate_to,
      id,
      mail_to,
      owner_id,
      push_to,
      webhook_ids,
      when,
      ...row
    }) => {
      if (rules++ > RULES_MAX + BUILT_IN_KINDS.length) throw new AppError('too-many-rules', { limit: RULES_MAX });
      const { conditions, isWhole, trigger } = named(row);
      const told = {
        ...{ mail_to: people(mail_to), push_to: people(push_to), owner_id: userOf(owner_id) },
        ...escalated(escalate_minutes, people(escalate_to)),
        created_by: personOf(created_by),
        webhook_ids: those(webhook_ids, old => idOf('webhook', old)),
      };
      await ids.add('rule', id, {
        ...{ ...row, ...account, ...told, trigger, when, conditions },
        // A built-in alert is told from its beginning on, a rule from now on.
        ...(row.built_in !== null && { since: new Date(0) }),
        is_on: row.is_on && isWhole,
      });
      return true;
    },
    rule_geofence: async ({ rule_id, geofence_id, place }) => {
      const of = { rule_id: idOf('rule', rule_id), geofence_id: idOf('geofence', geofence_id) };
      if (of.rule_id === null || of.geofence_id === null) return false;
      const row = { ...account, rule_id: of.rule_id, geofence_id: of.geofence_id, place };
      await trx.insertInto('rule_geofence').values(row).execute();
      return true;
    },
    rule_vehicle: async row => {
      const rule = idOf('rule', row.rule_id);
      const of = { folder_id: idOf('folder', row.folder_id), vehicle_id: idOf('vehicle', row.vehicle_id) };
      if (rule === null || (of.folder_id === null) === (of.vehicle_id === null)) return false;
      await trx
        .insertInto('rule_vehicle')
        .values({ ...of, ...account, rule_id: rule })
        .execute();
      return true;
    },
  };
}

/** Nobody is notified later if none of those users came. */
const escalated = (minutes: number | null, to: readonly string[] | null) => ({
  escalate_minutes: to === null ? null : minutes,
  escalate_to: to,
});
