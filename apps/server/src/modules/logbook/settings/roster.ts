import type { LogSettings, RosterDriver } from '@milepost/contract';
import { AppError, invalidField } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import { audit, changesBetween } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import type { DriverReading } from '../days/driver-reading.ts';
import { type CertifiedDays, createCertifiedDays } from './certified-days.ts';
import { type DriverTerms, readDriverTerms, readTermsOf } from './driver-terms.ts';

export interface LogRoster {
  /** The drivers that the viewer sees, by name. */
  list(viewer: Viewer): Promise<RosterDriver[]>;
  /**
   * As a route shows one driver.
   *
   * @param reading of the driver's log, if there is one
   */
  shown(trx: AccountTransaction, terms: DriverTerms, nowMs: number, reading?: DriverReading): Promise<RosterDriver>;
  /** The terms of a driver that the viewer sees, or the problem `not-found`. */
  seen(trx: AccountTransaction, viewer: Viewer, driverId: number): Promise<DriverTerms>;
  /** Whether the viewer may change this driver, too. */
  holds(viewer: Viewer, terms: Pick<DriverTerms, 'departmentId'>): boolean;
  /** The same of a driver that the viewer may change, or the problem `out-of-scope`. */
  held(trx: AccountTransaction, viewer: Viewer, driverId: number): Promise<DriverTerms>;
  change(
    by: By,
    driverId: number,
    change: { readonly [K in keyof LogSettings]?: LogSettings[K] | undefined },
  ): Promise<RosterDriver>;
}

export function createLogRoster({ db, feed }: Pick<Context, 'db' | 'feed'>, { visibility }: Organisation): LogRoster {
  const certified = createCertifiedDays();
  const sees = (viewer: Viewer, { driverId, departmentId, userId }: DriverTerms) =>
    visibility.seesDriver(viewer, { id: driverId, departmentId, userId });

  const shown: LogRoster['shown'] = async (trx, terms, nowMs, reading) =>
    toRosterDriver(terms, terms.settings.keepsLog ? await certified.of(trx, terms, nowMs, reading) : null);
  const seen: LogRoster['seen'] = async (trx, viewer, driverId) => {
    const terms = await readTermsOf(trx, driverId);
    if (!terms || !sees(viewer, terms)) throw new AppError('not-found');
    return terms;
  };
  const holds: LogRoster['holds'] = (viewer, { departmentId }) => visibility.holdsDriver(viewer, { departmentId });
  const held: LogRoster['held'] = async (trx, viewer, driverId) => {
    const terms = await seen(trx, viewer, driverId);
    if (!holds(viewer, terms)) throw new AppError('out-of-scope');
    return terms;
  };

  return {
    shown,
    seen,
    holds,
    held,
    list: viewer =>
      db.asAccount(viewer.accountId, async trx => {
        const drivers: RosterDriver[] = [];
        for (const terms of await readDriverTerms(trx, null)) {
          if (sees(viewer, terms)) drivers.push(await shown(trx, terms, Date.now()));
        }
        return drivers;
      }),
    change: async ({ session, author }, driverId, change) => {
      const driver = await db.asAccount(session.accountId, async trx => {
        const before = await held(trx, session, driverId);
        const settings = { ...before.settings, ...given(change) };
        if (!before.carrier.terminals.some(({ id }) => settings.terminalId === null || id === settings.terminalId)) {
          throw invalidField('terminalId', 'invalid-choice');
        }
        await store(trx, session.accountId, driverId, settings);
        const after = (await readTermsOf(trx, driverId)) ?? before;
        const changes = changesBetween<LogSettings>(before.settings, after.settings);
        if (changes.length > 0) {
          const target = { id: driverId, name: before.name };
          await audit(trx, author, { action: 'driver.log-changed', target, changes });
        }
        return shown(trx, after, Date.now());
      });
      await feed.settled();
      return driver;
    },
  };
}

const given = <T extends object>(change: T): Partial<LogSettings> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

async function store(
  trx: AccountTransaction,
  accountId: number,
  driverId: number,
  settings: LogSettings,
): Promise<void> {
  const row = {
    keeps_log: settings.keepsLog,
    rule_set: settings.ruleSet,
    terminal_id: settings.terminalId,
    personal_use: settings.personalUse,
    yard_moves: settings.yardMoves,
    is_exempt: settings.isExempt,
    exempt_reason: settings.exemptReason,
  };
  await trx
    .insertInto('log_setting')
    .values({ ...row, account_id: accountId, driver_id: driverId, synced_at: null })
    .onConflict(conflict => conflict.column('driver_id').doUpdateSet(row))
    .execute();
}

function toRosterDriver(terms: DriverTerms, certified: CertifiedDays | null): RosterDriver {
  return {
    driverId: String(terms.driverId),
    name: terms.name,
    userId: terms.userId,
    licenceNumber: terms.licence.number,
    licenceRegion: terms.licence.region,
    licenceExpiresOn: terms.licence.expiresOn,
    departmentId: terms.departmentId === null ? null : String(terms.departmentId),
    archived: terms.archived,
    settings: terms.settings,
    ruleSet: terms.ruleSet,
    terminal: terms.terminal,
    mayUsePersonally: terms.mayUsePersonally,
    mayMoveInYard: terms.mayMoveInYard,
    certifiedDays: certified?.inARow ?? 0,
    uncertifiedDays: certified?.toCertify.length ?? 0,
    lastSyncAt: terms.syncedAt?.toISOString() ?? null,
  };
}
