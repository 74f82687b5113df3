import { checkSignatures } from './check-signatures.ts';
import type { ENTERED_ROWS } from './entered-rows.ts';
import type { ImportContext, Takes } from './import-desk.ts';
import { insertRow } from './insert-rows.ts';

export type EnteredTable = keyof typeof ENTERED_ROWS;

export interface Entered {
  readonly takes: Takes<EnteredTable>;
  /** Throws if a signature is not its phone's, or is out of its place. */
  check(): Promise<void>;
}

/**
 * What drivers entered, what the desk asked them, and files it gave out. What is signed names drivers and vehicles by ID,
 * so all of this comes with the logs or not at all. Each answers whether its row came.
 */
export function takesOfEntered(
  { accountId, ids, trx, userOf }: ImportContext,
  keepsLogbook: (...chains: readonly string[]) => Promise<boolean>,
): Entered {
  const account = { account_id: accountId };
  const put = async (table: EnteredTable, row: object): Promise<boolean> =>
    (await insertRow(trx, table, { ...row, ...account })) !== null;
  const ofDriver = (id: number): Promise<boolean> => keepsLogbook(`driver:${id}`);
  const ofBoth = (row: { readonly driver_id: number; readonly vehicle_id: number }): Promise<boolean> =>
    keepsLogbook(`driver:${row.driver_id}`, `vehicle:${row.vehicle_id}`);
  const isThere = (driver: number): boolean => ids.of('driver').get(driver) !== null;

  return {
    takes: {
      phone: async row => (await ofDriver(row.driver_id)) && put('phone', row),
      // Without its vehicle, so that no recorder takes it again: its records are already in the log.
      duty_input: async ({ user_id, ...input }) =>
        (await ofDriver(input.driver_id)) && put('duty_input', { ...input, user_id: userOf(user_id) ?? user_id }),
      duty_signature: async row => (await ofDriver(row.driver_id)) && put('duty_signature', row),
      unidentified_assignment: async ({ asked_by, ...row }) =>
        isThere(row.driver_id) &&
        (await ofBoth(row)) &&
        put('unidentified_assignment', { ...row, asked_by: userOf(asked_by) ?? asked_by }),
      team_request: async row =>
        isThere(row.co_driver_id) && isThere(row.driver_id) && (await ofBoth(row)) && put('team_request', row),
      driver_reminder: async ({ asked_by, driver_id, ...row }) => {
        const [driver, user] = [ids.of('driver').get(driver_id), userOf(asked_by)];
        return (
          driver !== null && user !== null && put('driver_reminder', { ...row, driver_id: driver, asked_by: user })
        );
      },
      log_export: async ({ driver_id, made_by, ...row }) => {
        if (!(await ofDriver(driver_id))) return false;
        return put('log_export', { ...row, driver_id, made_by: userOf(made_by) ?? made_by, imported_at: new Date() });
      },
    },

    check: () => checkSignatures(trx),
  };
}
