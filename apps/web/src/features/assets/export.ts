import { exportVehicles } from '@milepost/contract';
import { call } from '../../base/api.ts';
import { download } from '../../base/download.ts';
import { isoDateOf } from '../../format/date.ts';
import { chunks, joinCsv } from './join-csv.ts';

/** Ids are in the address, and servers limit its length. */
const IDS_AT_ONCE = 800;

/** Downloads these vehicles as CSV, in the columns that an import accepts; null exports all. */
export async function exportCsv(ids: readonly string[] | null): Promise<void> {
  const parts = ids === null ? [null] : chunks(ids, IDS_AT_ONCE);
  const files = await Promise.all(
    parts.map(part => call(exportVehicles, part === null ? {} : { query: { ids: part.join(',') } })),
  );
  const texts = await Promise.all(files.map(file => file.text()));
  const csv = joinCsv(texts);
  download(new Blob([csv], { type: 'text/csv' }), `vehicles-${isoDateOf(Date.now())}.csv`);
}
