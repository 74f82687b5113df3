import type { DocumentKind } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { Files } from '../documents/files.ts';
import { onePagePdf } from './pdf.ts';

interface Paper {
  readonly kind: DocumentKind;
  readonly title: string;
  /** Days from the day on which the demo is made, and so many more for the next owner. */
  readonly days: number;
  readonly step: number;
}

const OF_VEHICLES: readonly Paper[] = [
  { kind: 'insurance', title: 'Insurance certificate', days: 62, step: 23 },
  { kind: 'inspection', title: 'Annual inspection', days: 18, step: 37 },
];
const OF_DRIVERS: readonly Paper[] = [{ kind: 'medical', title: 'Medical examiner’s certificate', days: 40, step: 71 }];
/** No paper of the demo ends later than this. */
const WITHIN_DAYS = 640;

/** Papers of the demo's vehicles and drivers, some of which end soon. Each is a file that can be opened. */
export async function addDemoPapers(db: Kysely<Database>, files: Files, accountId: number): Promise<void> {
  const vehicles = await db
    .selectFrom('vehicle')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  const drivers = await db
    .selectFrom('driver')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  const wanted = [
    ...vehicles.flatMap((owner, nth) => OF_VEHICLES.map(paper => ({ owner, nth, paper, of: 'vehicle_id' as const }))),
    ...drivers.flatMap((owner, nth) => OF_DRIVERS.map(paper => ({ owner, nth, paper, of: 'driver_id' as const }))),
  ];
  for (const { owner, nth, paper, of } of wanted) {
    const bytes = onePagePdf([paper.title, owner.name, 'A paper of the demo company.']);
    const days = (paper.days + nth * paper.step) % WITHIN_DAYS;
    await db
      .insertInto('document')
      .values({
        account_id: accountId,
        vehicle_id: of === 'vehicle_id' ? owner.id : null,
        driver_id: of === 'driver_id' ? owner.id : null,
        kind: paper.kind,
        title: paper.title,
        expires_on: sql<string>`current_date + ${days}::integer`,
        notes: null,
        file_name: `${paper.title} ${owner.name}.pdf`,
        file: await files.write(bytes),
        type: 'application/pdf',
        bytes: bytes.length,
        created_by: null,
      })
      .execute();
  }
}
