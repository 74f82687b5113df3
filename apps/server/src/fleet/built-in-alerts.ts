import {
  type AlertKind,
  type BuiltInKind,
  DEFAULT_SETTINGS,
  type RuleWhen,
  SEVERITY_OF_KIND,
  type Severity,
  settingsSchema,
} from '@milepost/contract';
import type { Schedule } from '@milepost/geo';
import type { EpochMs } from '@milepost/units';
import type { Context } from '../context.ts';
import type { AccountTransaction } from '../db/database.ts';
import { type AccountCalendar, accountCalendar, scheduleOf } from '../watching/watched.ts';
import type { Directory } from './directory.ts';
import type { Roster } from './roster.ts';

/** What an account changed about alerts that need no rule, in memory: whoever writes an alert asks here first. */
export interface BuiltInAlerts {
  /** How severe an alert is, as the account chose; null if it wants none for this vehicle at that time. */
  severityOf(about: AboutAlert, usual: Severity): Severity | null;
  /** The account turned it off: nothing of that kind lasts any more. */
  isOff(accountId: number, kind: AlertKind): boolean;
}

export interface AboutAlert {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly kind: AlertKind;
  readonly at: EpochMs;
}

interface Known {
  readonly isOn: boolean;
  /** When it was turned on: what happened before alerts nobody. */
  readonly since: number;
  /** Null: as the event is. */
  readonly severity: Severity | null;
  readonly when: Schedule | null;
  /** Null for all of them. */
  readonly vehicles: { readonly folders: ReadonlySet<number>; readonly vehicles: ReadonlySet<number> } | null;
}

/** For tests, and wherever nothing can be changed. */
export const AS_BUILT: BuiltInAlerts = {
  severityOf: (_about, usual) => usual,
  isOff: () => false,
};

const KINDS: ReadonlySet<string> = new Set(['rule', 'settings']);
const RETRY_MS = 1000;

/** Follows the change feed. */
export async function openBuiltInAlerts(
  { db, feed, log }: Pick<Context, 'db' | 'feed' | 'log'>,
  { directory, roster }: { readonly directory: Pick<Directory, 'findById'>; readonly roster: Pick<Roster, 'isInside'> },
): Promise<BuiltInAlerts> {
  const accounts = new Map<number, ReadonlyMap<string, Known>>();
  const stale = new Set<number>();
  let reading: Promise<void> = Promise.resolve();
  let isReading = false;

  const readStale = async (): Promise<void> => {
    isReading = true;
    try {
      for (const accountId of stale) {
        stale.delete(accountId);
        try {
          const known = await db.asAccount(accountId, readKnown);
          if (known.size > 0) accounts.set(accountId, known);
          else accounts.delete(accountId);
        } catch (error) {
          stale.add(accountId);
          throw error;
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'Could not read the built-in alerts that accounts changed; retrying');
      setTimeout(startReading, RETRY_MS).unref();
    } finally {
      isReading = false;
    }
  };
  const startReading = (): void => {
    if (!isReading) reading = readStale();
  };
  feed.follow('memory', changes => {
    const changed = changes.filter(
      ({ accountId, kind }) => kind === 'rule' || (KINDS.has(kind) && accounts.has(accountId)),
    );
    if (changed.length === 0) return;
    for (const { accountId } of changed) stale.add(accountId);
    startReading();
    return reading;
  });
  await feed.open();
  const rows = await db.system
    .selectFrom('rule')
    .select('account_id')
    .distinct()
    .where('built_in', 'is not', null)
    .execute();
  for (const row of rows) stale.add(row.account_id);
  startReading();
  await reading;

  return {
    severityOf: ({ accountId, at, kind, vehicleId }, usual) => {
      const known = accounts.get(accountId)?.get(kind);
      if (!known) return usual;
      const { isOn, severity, since, vehicles, when } = known;
      if (!isOn || at < since || (when !== null && !when.isWithin(at))) return null;
      if (vehicles !== null && !vehicles.vehicles.has(vehicleId)) {
        const vehicle = directory.findById(vehicleId);
        if (!vehicle || !roster.isInside('folder', accountId, vehicle.folderId, vehicles.folders)) return null;
      }
      return severity ?? usual;
    },
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
