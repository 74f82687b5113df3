import type { DocumentKind } from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { Files } from '../documents/files.ts';
import { onePagePdf } from './pdf.ts';

interface DemoDocument {
  readonly kind: DocumentKind;
  readonly title: string;
  /** Days from the day on which the demo is made, and so many more for the next owner. */
  readonly days: number;
  readonly step: number;
}

const OF_VEHICLES: readonly DemoDocument[] = [
  { kind: 'insurance', title: 'Insurance certificate', days: 62, step: 23 },
  { kind: 'inspection', title: 'Annual inspection', days: 18, step: 37 },
];
const OF_DRIVERS: readonly DemoDocument[] = [
  { kind: 'medical', title: 'Medical examiner’s certificate', days: 40, step: 71 },
];
/** No document of the demo ends later than this, less the following. */
const WITHIN_DAYS = 640;
/** Nor ended longer ago: one truck’s inspection is overdue. */
const OVERDUE_DAYS = 9;

/** Documents of the demo's vehicles and drivers, some of which end soon. Each is a file that can be opened. */
export async function addDemoDocuments(db: Kysely<Database>, files: Files, accountId: number): Promise<void> {
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
    ...vehicles.flatMap((owner, nth) =>
      OF_VEHICLES.map(document => ({ owner, nth, document, of: 'vehicle_id' as const })),
    ),
    ...drivers.flatMap((owner, nth) =>
      OF_DRIVERS.map(document => ({ owner, nth, document, of: 'driver_id' as const })),
    ),
  ];
  for (const { owner, nth, document, of } of wanted) {
    const bytes = onePagePdf([document.title, owner.name, 'A document of the demo company.']);
    const days = ((document.days + nth * document.step) % WITHIN_DAYS) - OVERDUE_DAYS;
    await db
      .insertInto('document')
      .values({
        account_id: accountId,
        vehicle_id: of === 'vehicle_id' ? owner.id : null,
        driver_id: of === 'driver_id' ? owner.id : null,
        kind: document.kind,
        title: document.title,
        expires_on: sql<string>`current_date + ${days}::integer`,
        notes: null,
        file_name: `${document.title} ${owner.name}.pdf`,
        file: await files.write(bytes),
        type: 'application/pdf',
        bytes: bytes.length,
        created_by: null,
      })
      .execute();
  }
}
