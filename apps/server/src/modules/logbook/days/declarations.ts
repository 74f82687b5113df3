import type { RawDeclaration } from '@milepost/hos';
import type { AccountTransaction } from '../../../db/database.ts';

/** What drivers have declared, by driver. */
export async function declarationsOf(
  _trx: AccountTransaction,
  _driverIds: readonly number[],
): Promise<ReadonlyMap<number, readonly RawDeclaration[]>> {
  return new Map();
}
