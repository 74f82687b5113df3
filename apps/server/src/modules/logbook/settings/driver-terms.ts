import { type Carrier, type LogSettings, RULE_SETS, type RuleSetName, type Terminal } from '@milepost/contract';
import type { HomeTerminal } from '@milepost/hos';
import { type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Database } from '../../../db/schema.ts';
import { readCarrierOf } from './carrier.ts';

/** What applies to a driver's log: the driver's own settings, or the carrier's. */
export interface DriverTerms {
  readonly driverId: number;
  readonly name: string;
  readonly userId: string | null;
  readonly departmentId: number | null;
  readonly archived: boolean;
  readonly licence: {
    readonly number: string | null;
    readonly region: string | null;
    readonly expiresOn: string | null;
  };
  readonly settings: LogSettings;
  readonly ruleSet: RuleSetName;
  readonly terminal: Terminal;
  readonly mayUsePersonally: boolean;
  readonly mayMoveInYard: boolean;
  /** The name that the check values of the driver's events are made with. */
  readonly userName: string;
  readonly syncedAt: Date | null;
  readonly carrier: Carrier;
}

/** `driver:12`: the name of a driver's log. */
export const logOfDriver = (driverId: number): string => `driver:${driverId}`;
/** `unidentified:7`: the log of what a vehicle recorded while nobody was signed in. */
export const unidentifiedLogOf = (vehicleId: number): string => `unidentified:${vehicleId}`;

/** The terminal as logs are kept by it; `startOfDay` in minutes. */
export function homeOfTerminal({ timeZone, startOfDay }: Pick<Terminal, 'timeZone' | 'startOfDay'>): HomeTerminal {
  const [hours = 0, minutes = 0] = startOfDay.split(':').map(Number);
  return { timeZone, startOfDay: hours * 60 + minutes };
}

type Row = Selectable<Database['driver']> & {
  readonly user_name: string | null;
} & { readonly [K in keyof Omit<Selectable<Database['log_setting']>, 'account_id' | 'driver_id'>]: unknown };

/**
 * The terms of these drivers, by name; of all, archived ones included, if `ids` is null.
 *
 * @param known the carrier, if it has been read
 */
export async function readDriverTerms(
  trx: AccountTransaction,
  ids: readonly number[] | null,
  known?: Carrier,
): Promise<readonly DriverTerms[]> {
  const carrier = known ?? (await readCarrierOf(trx));
  const rows = await trx
    .selectFrom('driver')
    .leftJoin('log_setting', 'log_setting.driver_id', 'driver.id')
    .leftJoin('app_user', join =>
      join.onRef('app_user.id', '=', 'driver.user_id').onRef('app_user.account_id', '=', 'driver.account_id'),
    )
    .selectAll('driver')
    .select([
      'app_user.user_name',
      'log_setting.keeps_log',
      'log_setting.rule_set',
      'log_setting.terminal_id',
      'log_setting.personal_use',
      'log_setting.yard_moves',
      'log_setting.is_exempt',
      'log_setting.exempt_reason',
      'log_setting.synced_at',
    ])
    .$if(ids !== null, query => query.where(sql<boolean>`driver.id = any (${ids}::int4[])`))
    .orderBy(sql`lower(driver.name)`)
    .orderBy('driver.id')
    .execute();
  return rows.map(row => termsOf(row as Row, carrier));
}

/** One driver's terms; null if the account has no such driver. */
export async function readTermsOf(trx: AccountTransaction, driverId: number): Promise<DriverTerms | null> {
  const [terms = null] = await readDriverTerms(trx, [driverId]);
  return terms;
}

function termsOf(row: Row, carrier: Carrier): DriverTerms {
  const settings: LogSettings = {
    keepsLog: row.keeps_log === true,
    ruleSet: RULE_SETS.find(name => name === row.rule_set) ?? null,
    terminalId: row.terminal_id as string | null,
    personalUse: row.personal_use as boolean | null,
    yardMoves: row.yard_moves as boolean | null,
    isExempt: row.is_exempt === true,
    exemptReason: row.exempt_reason as string | null,
  };
  const terminal = carrier.terminals.find(({ id }) => id === settings.terminalId) ?? carrier.terminals[0];
  if (!terminal) throw new Error('A carrier has a terminal.');
  return {
    driverId: row.id,
    name: row.name,
    userId: row.user_id,
    departmentId: row.department_id,
    archived: row.archived,
    licence: { number: row.licence_number, region: row.licence_region, expiresOn: row.licence_expires_on },
    settings,
    ruleSet: settings.ruleSet ?? carrier.ruleSet,
    terminal,
    mayUsePersonally: settings.personalUse ?? carrier.personalUse,
    mayMoveInYard: settings.yardMoves ?? carrier.yardMoves,
    userName: row.user_name ?? `driver-${row.id}`,
    syncedAt: row.synced_at as Date | null,
    carrier,
  };
}
