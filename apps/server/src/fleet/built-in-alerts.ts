import {
  type AlertKind,
  type BuiltInConditions,
  type BuiltInKind,
  DEFAULT_SETTINGS,
  type RuleWhen,
  SEVERITY_OF_KIND,
  type Severity,
  settingsSchema,
} from '@milepost/contract';
import type { Schedule } from '@milepost/geo';
import { type EpochMs, fromKilometresPerHour } from '@milepost/units';
import type { Context } from '../context.ts';
import type { AccountTransaction } from '../db/database.ts';
import { type AccountCalendar, accountCalendar, scheduleOf } from '../watching/watched.ts';
import type { Directory } from './directory.ts';
import { rereadOnChange } from './rereading.ts';
import type { Roster } from './roster.ts';

/** What an account changed about alerts that need no rule, in memory: ask here before writing an alert. */
export interface BuiltInAlerts {
  /** How severe an alert is, as the account chose; null if it wants none for this vehicle at that time. */
  severityOf(about: AboutAlert, usual: Severity): Severity | null;
  /** How long it is quiet about a vehicle after an alert, as the account chose. */
  cooldownMs(accountId: number, kind: AlertKind): number;
  /** The account turned it off: nothing of that kind lasts any more. */
  isOff(accountId: number, kind: AlertKind): boolean;
}

const MINUTE_MS = 60_000;

export interface AboutAlert {
  readonly accountId: number;
  /** Null of a task without a vehicle. */
  readonly vehicleId: number | null;
  readonly kind: AlertKind;
  readonly at: EpochMs;
  readonly driverId: number | null;
  /** Of the report that it comes from, m/s. */
  readonly speed?: number | null;
  readonly ignition?: boolean | null;
}

interface Known {
  readonly isOn: boolean;
  /** When it was turned on: what happened before alerts nobody. */
  readonly since: number;
  /** Null: as the event is. */
  readonly severity: Severity | null;
  readonly when: Schedule | null;
  readonly conditions: {
    readonly drivers: { readonly ids: ReadonlySet<number>; readonly departments: ReadonlySet<number> } | null;
    /** m/s */
    readonly from: number | null;
    readonly ignition: boolean | null;
  } | null;
  readonly cooldownMs: number;
  /** Null for all of them. */
  readonly vehicles: { readonly folders: ReadonlySet<number>; readonly vehicles: ReadonlySet<number> } | null;
}

/** For tests, and wherever nothing can be changed. */
export const AS_BUILT: BuiltInAlerts = {
  severityOf: (_about, usual) => usual,
  cooldownMs: () => 0,
  isOff: () => false,
};

/** Follows the change feed. */
export async function openBuiltInAlerts(
  { db, feed, log }: Pick<Context, 'db' | 'feed' | 'log'>,
  {
    directory,
    roster,
  }: {
    readonly directory: Pick<Directory, 'findById'>;
    readonly roster: Pick<Roster, 'driver' | 'isInside'>;
  },
): Promise<BuiltInAlerts> {
  const accounts = new Map<number, ReadonlyMap<string, Known>>();
  const read = async (accountIds: readonly number[]): Promise<void> => {
    for (const accountId of accountIds) {
      const known = await db.asAccount(accountId, readKnown);
      if (known.size > 0) accounts.set(accountId, known);
      else accounts.delete(accountId);
    }
  };
  rereadOnChange(
    { feed, log },
    {
      what: 'the built-in alerts that accounts changed',
      concerns: ({ accountId, kind }) => kind === 'rule' || (kind === 'settings' && accounts.has(accountId)),
      read,
    },
  );
  await feed.open();
  const rows = await db.system
    .selectFrom('rule')
    .select('account_id')
    .distinct()
    .where('built_in', 'is not', null)
    .execute();
  await read(rows.map(row => row.account_id));

  const isMet = (conditions: Known['conditions'], { accountId, driverId, ignition, speed }: AboutAlert): boolean => {
    if (conditions === null) return true;
    const { drivers, from } = conditions;
    if (from !== null && (speed ?? -1) < from) return false;
    if (conditions.ignition !== null && ignition !== conditions.ignition) return false;
    if (drivers === null) return true;
    const driver = driverId === null ? null : roster.driver(accountId, driverId);
    return (
      driver !== null &&
      (drivers.ids.has(driver.id) || roster.isInside('department', accountId, driver.departmentId, drivers.departments))
    );
  };
  return {
    severityOf: (about, usual) => {
      const { accountId, at, kind, vehicleId } = about;
      const known = accounts.get(accountId)?.get(kind);
      if (!known) return usual;
      const { conditions, isOn, severity, since, vehicles, when } = known;
      if (!isOn || at < since || (when !== null && !when.isWithin(at)) || !isMet(conditions, about)) return null;
      if (vehicles !== null && vehicleId === null) return null;
      if (vehicles !== null && vehicleId !== null && !vehicles.vehicles.has(vehicleId)) {
        const vehicle = directory.findById(vehicleId);
        if (!vehicle || !roster.isInside('folder', accountId, vehicle.folderId, vehicles.folders)) return null;
      }
      return severity ?? usual;
    },
    cooldownMs: (accountId, kind) => accounts.get(accountId)?.get(kind)?.cooldownMs ?? 0,
    isOff: (accountId, kind) => accounts.get(accountId)?.get(kind)?.isOn === false,
  };
}

/** The account's clocks and days off; a value that this version can't read counts as the default. */
async function readCalendar(trx: AccountTransaction): Promise<AccountCalendar> {
  const rows = await trx.selectFrom('account_setting').select(['name', 'value']).execute();
  const settingOf = (name: 'holidays' | 'timeZone'): string =>
    settingsSchema.shape[name].safeParse(rows.find(row => row.name === name)?.value).data ?? DEFAULT_SETTINGS[name];
  return accountCalendar({ holidays: settingOf('holidays'), timeZone: settingOf('timeZone') });
}

async function readKnown(trx: AccountTransaction): Promise<ReadonlyMap<string, Known>> {
  const rows = await trx.selectFrom('rule').selectAll().where('built_in', 'is not', null).execute();
  if (rows.length === 0) return new Map();
  const calendar = await readCalendar(trx);
  const parts = await trx.selectFrom('rule_vehicle').selectAll().execute();
  return new Map(
    rows.map((row): [string, Known] => {
      const own = parts.filter(part => part.rule_id === row.id);
      const kind = row.built_in as BuiltInKind;
      return [
        kind,
        {
          isOn: row.is_on,
          since: row.since.getTime(),
          severity: row.severity === SEVERITY_OF_KIND[kind] ? null : (row.severity as Severity),
          when: scheduleOf(row.when as RuleWhen | null, calendar),
          conditions: conditionsOf(row.conditions as BuiltInConditions | null),
          cooldownMs: row.repeat_minutes * MINUTE_MS,
          vehicles: row.is_for_all
            ? null
            : {
                folders: new Set(own.flatMap(({ folder_id }) => folder_id ?? [])),
                vehicles: new Set(own.flatMap(({ vehicle_id }) => vehicle_id ?? [])),
              },
        },
      ];
    }),
  );
}

function conditionsOf(kept: BuiltInConditions | null): Known['conditions'] {
  if (kept === null) return null;
  const { drivers, fromKmh, ignition } = kept;
  return {
    drivers: drivers && {
      ids: new Set(drivers.driverIds.map(Number)),
      departments: new Set(drivers.departmentIds.map(Number)),
    },
    from: fromKmh === null ? null : fromKilometresPerHour(fromKmh),
    ignition: ignition === null ? null : ignition === 'on',
  };
}
