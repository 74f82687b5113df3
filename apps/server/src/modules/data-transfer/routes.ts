import { Readable } from 'node:stream';
import {
  cancelExport,
  cancelImport,
  cancelMoveIn,
  deleteExport,
  deleteMoveInFile,
  listExports,
  listImports,
  listMoveIns,
  readExportFile,
  startExport,
  startImport,
  startMoveIn,
  uploadMoveInFile,
} from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import { openFiles } from '../documents/files.ts';
import { openExports } from './exports.ts';
import { openImports } from './imports.ts';
import { openMoveIns } from './move-ins.ts';
import type { Upload } from './spool.ts';

export function registerDataTransfer(http: Http, context: Context, organisation: Organisation): void {
  const documents = openFiles(context.config.dataDir);
  const exports = openExports(context, documents);
  const imports = openImports(context, documents, organisation);
  const moveIns = openMoveIns(context, documents, organisation);

  http.handle(listExports, ({ session }) => exports.list(session.accountId));
  http.handle(startExport, call => exports.start(by(call), call.body));
  http.handle(cancelExport, call => exports.cancel(by(call), call.params.id));
  http.handle(deleteExport, async call => {
    await exports.remove(by(call), call.params.id);
    return { ok: true as const };
  });
  http.handle(readExportFile, call => exports.download(by(call), call.params.id));

  http.handle(listImports, ({ session }) => imports.list(session.accountId));
  http.handle(startImport, call => imports.start(by(call), streamOf(call.request)));
  http.handle(cancelImport, call => imports.cancel(by(call), call.params.id));

  http.handle(uploadMoveInFile, call => moveIns.upload(by(call), streamOf(call.request)));
  http.handle(deleteMoveInFile, async call => {
    await moveIns.removeFile(by(call), call.params.id);
    return { ok: true as const };
  });
  http.handle(listMoveIns, ({ session }) => moveIns.list(session.accountId));
  http.handle(startMoveIn, call => moveIns.start(by(call), call.body));
  http.handle(cancelMoveIn, call => moveIns.cancel(by(call), call.params.id));
}

function streamOf({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): Upload {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return {
    body: body instanceof Readable ? body : Readable.from([]),
    length: Number.isFinite(length) ? length : null,
  };
}
