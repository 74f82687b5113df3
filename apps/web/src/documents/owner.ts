import {
  createDriverDocument,
  createVehicleDocument,
  deleteDriverDocument,
  deleteVehicleDocument,
  listDriverDocuments,
  listVehicleDocuments,
  type NewDocument,
  readDriverDocumentFile,
  readVehicleDocumentFile,
  updateDriverDocument,
  updateVehicleDocument,
} from '@milepost/contract';
import { call } from '../app/api.ts';

/** Whose papers: a vehicle's or a driver's. */
export interface Owner {
  readonly kind: 'vehicle' | 'driver';
  readonly id: string;
}

export const documentsKey = ({ kind, id }: Owner) => ['documents', kind, id] as const;

export const readDocuments = ({ kind, id }: Owner) =>
  kind === 'vehicle' ? call(listVehicleDocuments, { params: { id } }) : call(listDriverDocuments, { params: { id } });

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

export const readFile = ({ kind, id }: Owner, documentId: string): Promise<Blob> =>
  kind === 'vehicle'
    ? call(readVehicleDocumentFile, { params: { id, documentId } })
    : call(readDriverDocumentFile, { params: { id, documentId } });
