import {
  createDriverDocument,
  createVehicleDocument,
  deleteDriverDocument,
  deleteVehicleDocument,
  listDriverDocuments,
  listMyDocuments,
  listVehicleDocuments,
  readDriverDocumentFile,
  readMyDocumentFile,
  readVehicleDocumentFile,
  updateDriverDocument,
  updateVehicleDocument,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import { type By, by } from '../audit/by.ts';
import { findDriverRowOfUser } from '../organisation/driver-store.ts';
import { createDocuments, type Owner } from './documents.ts';
import { type Files, openFiles } from './files.ts';

type Purpose = 'look' | 'change';

export function registerDocuments(http: Http, context: Context, { visibility }: Organisation): void {
  const { config, db, log } = context;
  const files = openFiles(config.dataDir);
  const documents = createDocuments(context, files);

  const vehicle = async (viewer: Viewer, id: string, to: Purpose): Promise<Owner> => {
    const { name } =
      to === 'change' ? visibility.heldVehicle(viewer, Number(id)) : visibility.vehicle(viewer, Number(id));
    return { kind: 'vehicle', id: Number(id), name };
  };
  const driver = async (viewer: Viewer, id: string, to: Purpose): Promise<Owner> => {
    const row = await db.asAccount(viewer.accountId, trx =>
      trx
        .selectFrom('driver')
        .select(['id', 'name', 'department_id', 'user_id'])
        .where('id', '=', Number(id))
        .executeTakeFirst(),
    );
    const known = row && { id: row.id, departmentId: row.department_id, userId: row.user_id };
    if (!known || !visibility.seesDriver(viewer, known)) throw new AppError('not-found');
    if (to === 'change' && !visibility.holdsDriver(viewer, known)) throw new AppError('out-of-scope');
    return { kind: 'driver', id: row.id, name: row.name };
  };
  /** The user's own driver record; reading one's own documents needs no right to see drivers. */
  const own = (viewer: Viewer): Promise<Owner | null> =>
    db.asAccount(viewer.accountId, async trx => {
      const row = await findDriverRowOfUser(trx, viewer.userId);
      return row ? { kind: 'driver', id: row.id, name: row.name } : null;
    });
  const download = async (caller: By, of: Owner, documentId: string): Promise<FileAnswer> => {
    const { file, type, name } = await documents.find(caller, of, Number(documentId));
    return new FileAnswer(files.read(file), { type, saveAs: name });
  };

  http.handle(listVehicleDocuments, async ({ session, params }) =>
    documents.list(session.accountId, await vehicle(session, params.id, 'look')),
  );
  http.handle(createVehicleDocument, async call =>
    documents.create(by(call), await vehicle(call.session, call.params.id, 'change'), call.body),
  );
  http.handle(updateVehicleDocument, async call => {
    const of = await vehicle(call.session, call.params.id, 'change');
    return documents.update(by(call), of, Number(call.params.documentId), call.body);
  });
  http.handle(deleteVehicleDocument, async call => {
    const of = await vehicle(call.session, call.params.id, 'change');
    await documents.remove(by(call), of, Number(call.params.documentId));
    return { deleted: true as const, id: call.params.documentId };
  });
  http.handle(readVehicleDocumentFile, async call =>
    download(by(call), await vehicle(call.session, call.params.id, 'look'), call.params.documentId),
  );

  http.handle(listDriverDocuments, async ({ session, params }) =>
    documents.list(session.accountId, await driver(session, params.id, 'look')),
  );
  http.handle(createDriverDocument, async call =>
    documents.create(by(call), await driver(call.session, call.params.id, 'change'), call.body),
  );
  http.handle(updateDriverDocument, async call => {
    const of = await driver(call.session, call.params.id, 'change');
    return documents.update(by(call), of, Number(call.params.documentId), call.body);
  });
  http.handle(deleteDriverDocument, async call => {
    const of = await driver(call.session, call.params.id, 'change');
    await documents.remove(by(call), of, Number(call.params.documentId));
    return { deleted: true as const, id: call.params.documentId };
  });
  http.handle(readDriverDocumentFile, async call =>
    download(by(call), await driver(call.session, call.params.id, 'look'), call.params.documentId),
  );

  http.handle(listMyDocuments, async ({ session }) => {
    const of = await own(session);
    return of ? documents.list(session.accountId, of) : [];
  });
  http.handle(readMyDocumentFile, async call => {
    const of = await own(call.session);
    if (!of) throw new AppError('not-found');
    return download(by(call), of, call.params.documentId);
  });

  context.jobs.repeat({
    name: 'document-files',
    everySeconds: 24 * 3600,
    run: async () => {
      const left = await sweepFiles(db, files);
      if (left > 0) log.info({ left }, 'Removed files that belong to no document');
    },
  });
}

/** Deleting a vehicle, a driver or an account deletes the rows of their documents; this deletes their files. */
export function sweepFiles(db: Context['db'], files: Files): Promise<number> {
  return files.sweep(async names => {
    const rows = await db.system.selectFrom('document').select('file').where('file', 'in', names).execute();
    return new Set(rows.map(row => row.file));
  });
}
