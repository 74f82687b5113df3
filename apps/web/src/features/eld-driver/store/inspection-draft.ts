import type { INSPECTION_PARTS } from '@milepost/contract';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { onSessionEnd } from '../../../base/session/session.ts';

export type Part = (typeof INSPECTION_PARTS)[number];

export interface DefectPhotoFile {
  readonly id: string;
  readonly file: Blob;
}

export interface FoundDefect {
  readonly unit: string;
  readonly what: string;
  readonly affectsSafety: boolean;
  readonly photos: readonly DefectPhotoFile[];
}

/** An inspection that a driver has begun and not signed. */
export interface InspectionDraft {
  /** The user whose it is. */
  readonly owner: string;
  readonly vehicle: { readonly id: string; readonly deviceName: string };
  readonly when: 'pre-trip' | 'post-trip';
  readonly trailers: string;
  readonly found: ReadonlyMap<Part, FoundDefect>;
}

interface Tables extends DBSchema {
  draft: { key: string; value: InspectionDraft };
}

let opened: Promise<IDBPDatabase<Tables>> | null = null;
function drafts(): Promise<IDBPDatabase<Tables>> {
  opened ??= openDB<Tables>('milepost-inspection', 1, {
    upgrade: tables => void tables.createObjectStore('draft', { keyPath: 'owner' }),
    blocking: (_, __, event) => (event.target as IDBDatabase).close(),
  });
  return opened;
}

/** What this driver has begun: it survives a killed browser. Null also where the browser stores nothing. */
export async function readDraft(owner: string): Promise<InspectionDraft | null> {
  try {
    return (await (await drafts()).get('draft', owner)) ?? null;
  } catch {
    return null;
  }
}

/** A full storage must not stop an inspection: the form stays on the screen. */
export async function keepDraft(draft: InspectionDraft): Promise<void> {
  try {
    await (await drafts()).put('draft', draft);
  } catch {
    // Nothing is lost while the form is open.
  }
}

export async function dropDraft(owner: string): Promise<void> {
  try {
    await (await drafts()).delete('draft', owner);
  } catch {
    // It was never stored.
  }
}

/** The next driver who signs in on this phone sees nothing of it. */
onSessionEnd(() => {
  void drafts().then(
    tables => tables.clear('draft'),
    () => {},
  );
});
