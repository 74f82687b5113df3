import type { AccountTransaction } from '../../db/database.ts';
import { encodeImage } from '../images/encode.ts';
import type { DESK_ROWS } from './desk-rows.ts';
import { insertRow } from './insert-rows.ts';
import type { KeptIds } from './kept-ids.ts';
import type { ImportedTable, Row } from './rows.ts';

export type DeskTable = keyof typeof DESK_ROWS;

/** What an import knows so far. */
export interface ImportContext {
  readonly trx: AccountTransaction;
  readonly accountId: number;
  readonly ids: KeptIds;
  /** A user by the ID in the file; null if they didn't come. */
  readonly userOf: (old: string | null) => string | null;
  /** As `userOf`, also for people who were deleted or did not come: their names did. */
  readonly personOf: (old: string | null) => string | null;
}

/** Each answers whether its row came. */
export type Takes<Table extends ImportedTable> = { readonly [T in Table]: (row: Row<T>) => Promise<boolean> };

/**
 * What people chose, inspected and noted. Each answers whether its row came: one about a driver, vehicle, user or task
 * that didn't come stays in the file.
 */
export function takesOfDesk({ accountId, ids, personOf, trx, userOf }: ImportContext): Takes<DeskTable> {
  const put = async (table: DeskTable, row: object): Promise<boolean> =>
    (await insertRow(trx, table, { ...row, account_id: accountId })) !== null;
  const driverOf = (old: number | null): number | null => ids.of('driver').get(old);
  const vehicleOf = (old: number | null): number | null => ids.of('vehicle').get(old);
  /** Both, or null. */
  const pairOf = (row: { readonly driver_id: number; readonly vehicle_id: number }) => {
    const [driver_id, vehicle_id] = [driverOf(row.driver_id), vehicleOf(row.vehicle_id)];
    return driver_id !== null && vehicle_id !== null ? { driver_id, vehicle_id } : null;
  };
  /** A picture as ours are, whatever the file has; as the database reads bytes. */
  const pictureOf = async (content: string): Promise<string> =>
    `\\x${(await encodeImage(new Blob([Buffer.from(content, 'base64')]), 'proof')).toString('hex')}`;

  return {
    notification_setting: ({ changed_at = new Date().toISOString(), changed_by, ...row }) =>
      put('notification_setting', { ...row, changed_at, changed_by: personOf(changed_by) }),
    notification_choice: async ({ user_id, ...row }) => {
      const user = userOf(user_id);
      return user !== null && put('notification_choice', { ...row, user_id: user });
    },
    control_rule: ({ changed_by, ...row }) => put('control_rule', { ...row, changed_by: personOf(changed_by) }),
    private_hours: async row => {
      const of = { driver_id: driverOf(row.driver_id), vehicle_id: vehicleOf(row.vehicle_id) };
      if ((of.driver_id === null) === (of.vehicle_id === null)) return false;
      return put('private_hours', { ...row, ...of });
    },
    private_drive: async row => {
      const of = pairOf(row);
      return of !== null && put('private_drive', { ...row, ...of });
    },
    driver_span: async row => {
      const of = pairOf(row);
      if (of === null) return false;
      // Nobody is signed in here yet; and the vehicle came with its usual driver, from no known moment on.
      if (row.kind === 'signed-in') return put('driver_span', { ...row, ...of, to_at: row.to_at ?? new Date() });
      if (row.to_at === null) {
        await trx
          .deleteFrom('driver_span')
          .where('vehicle_id', '=', of.vehicle_id)
          .where('kind', '=', 'usual')
          .where('to_at', 'is', null)
          .execute();
      }
      return put('driver_span', { ...row, ...of });
    },
    task_proof: async ({ content, task_id, ...row }) => {
      const task = ids.of('task').get(task_id);
      if (task === null || content === null) return false;
      return put('task_proof', { ...row, task_id: task, content: await pictureOf(content) });
    },
    inspection_report: async ({ certified, report, reviewed, ...row }) => {
      const of = pairOf(row);
      const signed = <T extends { readonly by: string }>(one: T): T => ({ ...one, by: userOf(one.by) ?? one.by });
      return (
        of !== null &&
        put('inspection_report', {
          ...{ ...row, ...of, report: { ...report, reportedBy: signed(report.reportedBy) } },
          ...{ certified: certified && signed(certified), reviewed: reviewed && signed(reviewed) },
        })
      );
    },
    inspection_photo: async ({ content, ...row }) => {
      const of = pairOf(row);
      if (of === null || content === null) return false;
      return put('inspection_photo', { ...row, ...of, content: await pictureOf(content) });
    },
    performance_weight: row => put('performance_weight', row),
    performance_dispute: async row => {
      const driver = driverOf(row.driver_id);
      if (driver === null) return false;
      return put('performance_dispute', { ...row, driver_id: driver, answered_by: personOf(row.answered_by) });
    },
    coaching_note: async row => {
      const driver = driverOf(row.driver_id);
      if (driver === null) return false;
      return put('coaching_note', { ...row, driver_id: driver, created_by: personOf(row.created_by) });
    },
  };
}
