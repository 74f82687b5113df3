import {
  createDriverDocument,
  createVehicleDocument,
  deleteDriverDocument,
  deleteVehicleDocument,
  listDriverDocuments,
  listMyDocuments,
  listVehicleDocuments,
  type NewDocument,
  readDriverDocumentFile,
  readMyDocumentFile,
  readVehicleDocumentFile,
  updateDriverDocument,
  updateVehicleDocument,
} from '@milepost/contract';
import { call } from '../base/api.ts';

/** The vehicle or driver that documents belong to. */
export interface Owner {
  readonly kind: 'vehicle' | 'driver';
  readonly id: string;
  /** The driver is the current user. Reading one's own documents doesn't need the right to see drivers. */
  readonly own?: true;
}

export const documentsKey = ({ kind, id }: Owner) => ['documents', kind, id] as const;

export function readDocuments({ kind, id, own }: Owner) {
  if (own) return call(listMyDocuments);
  return kind === 'vehicle'
    ? call(listVehicleDocuments, { params: { id } })
    : call(listDriverDocuments, { params: { id } });
}

export const addDocument = ({ kind, id }: Owner, body: NewDocument) =>
  kind === 'vehicle'
    ? call(createVehicleDocument, { params: { id }, body })
    : call(createDriverDocument, { params: { id }, body });

export const changeDocument = ({ kind, id }: Owner, documentId: string, body: Partial<Omit<NewDocument, 'file'>>) =>
  kind === 'vehicle'
    ? call(updateVehicleDocument, { params: { id, documentId }, body })
    : call(updateDriverDocument, { params: { id, documentId }, body });

export const removeDocument = ({ kind, id }: Owner, documentId: string) =>
  kind === 'vehicle'
    ? call(deleteVehicleDocument, { params: { id, documentId } })
    : call(deleteDriverDocument, { params: { id, documentId } });

export function readFile({ kind, id, own }: Owner, documentId: string): Promise<Blob> {
  if (own) return call(readMyDocumentFile, { params: { documentId } });
  return kind === 'vehicle'
    ? call(readVehicleDocumentFile, { params: { id, documentId } })
    : call(readDriverDocumentFile, { params: { id, documentId } });
}
