import {
  type Carrier,
  carrierSchema,
  DEFAULT_SETTINGS,
  RULE_SETS,
  type Terminal,
  terminalSchema,
  VEHICLE_CHOICES,
} from '@milepost/contract';
import type { AccountTransaction } from '../../../db/database.ts';
import { audit, changesBetween } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { readAccountSettings } from '../../tenancy/settings.ts';

/** What an account without terminals of its own has: one in its time zone, whose day begins at midnight. */
const DEFAULT_TERMINAL = { id: 'default', name: 'Home terminal', startOfDay: '00:00', address: null } as const;
const DEFAULT_RULE_SET = 'US_PROPERTY_70_8';

/**
 * What logs say about the carrier; the defaults where nobody has entered anything, and for the USDOT number the
 * organization's. There is always a terminal.
 */
export async function readCarrierOf(trx: AccountTransaction): Promise<Carrier> {
  const row = await trx.selectFrom('carrier').selectAll().executeTakeFirst();
  const terminals = row ? terminalSchema.array().safeParse(row.terminals) : null;
  return {
    name: row?.name ?? null,
    usdotNumber: row?.usdot_number ?? (await usdotOfOrganization(trx)),
    terminals: terminals?.success && terminals.data.length > 0 ? terminals.data : [await defaultTerminal(trx)],
    ruleSet: RULE_SETS.find(name => name === row?.rule_set) ?? DEFAULT_RULE_SET,
    personalUse: row?.personal_use ?? false,
    yardMoves: row?.yard_moves ?? false,
    personalUseLimitKm: row?.personal_use_limit_km ?? null,
    vehicleChoice: VEHICLE_CHOICES.find(choice => choice === row?.vehicle_choice) ?? 'folders',
  };
}

/** Of the organization, in which anything can be entered: only what a log can state. */
async function usdotOfOrganization(trx: AccountTransaction): Promise<string | null> {
  const { settings } = await readAccountSettings(trx);
  const number = settings.dotNumber.replace(/^\s*(US\s*DOT)?[\s#:]*/i, '').trim();
  return carrierSchema.shape.usdotNumber.safeParse(number).data ?? null;
}

/** What a log says of the organization besides (49 CFR 395.8(d)(7); in Canada its principal place of business). */
export async function readOrganizationOf(trx: AccountTransaction) {
  const { address, authorityNumber } = (await readAccountSettings(trx)).settings;
  return { mainOffice: address || null, authorityNumber: authorityNumber || null };
}

async function defaultTerminal(trx: AccountTransaction): Promise<Terminal> {
  const { settings } = await readAccountSettings(trx);
  return { ...DEFAULT_TERMINAL, timeZone: settings.timeZone ?? DEFAULT_SETTINGS.timeZone };
}

/** Fields that are left out stay. */
export async function changeCarrier(
  trx: AccountTransaction,
  { session, author }: By,
  change: { readonly [K in keyof Carrier]?: Carrier[K] | undefined },
): Promise<Carrier> {
  const before = await readCarrierOf(trx);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const wanted: Carrier = { ...before, ...given };
  const stored = await trx.selectFrom('carrier').select(['usdot_number', 'terminals']).executeTakeFirst();
  const row = {
    name: wanted.name,
    // These two follow the account's settings until someone enters others.
    usdot_number: change.usdotNumber === undefined ? (stored?.usdot_number ?? null) : change.usdotNumber,
    terminals: JSON.stringify(change.terminals ?? stored?.terminals ?? []),
    rule_set: wanted.ruleSet,
    personal_use: wanted.personalUse,
    yard_moves: wanted.yardMoves,
    personal_use_limit_km: wanted.personalUseLimitKm,
    vehicle_choice: wanted.vehicleChoice,
  };
  await trx
    .insertInto('carrier')
    .values({ ...row, account_id: session.accountId })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
    .execute();
  const after = await readCarrierOf(trx);
  const changes = changesBetween<Carrier>(before, after);
  if (changes.length > 0) {
    const target = { id: session.accountId, name: after.name ?? '' };
    await audit(trx, author, { action: 'carrier.changed', target, changes });
  }
  return after;
}
