import { Readable } from 'node:stream';
import {
  cancelExport,
  cancelImport,
  deleteExport,
  listExports,
  listImports,
  readExportFile,
  startExport,
  startImport,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import { openFiles } from '../documents/files.ts';
import { openExports } from './exports.ts';
import { openImports } from './imports.ts';

export function registerDataTransfer(http: Http, context: Context, organisation: Organisation): void {
  const documents = openFiles(context.config.dataDir);
  const exports = openExports(context, documents);
  const imports = openImports(context, documents, organisation);

  http.handle(listExports, ({ session }) => exports.list(session.accountId));
  http.handle(startExport, call => exports.start(by(call), call.body));
  http.handle(cancelExport, call => exports.cancel(by(call), call.params.id));
  http.handle(deleteExport, async call => {
    await exports.remove(by(call), call.params.id);
    return { ok: true as const };
  });
  http.handle(readExportFile, call => exports.download(by(call), call.params.id));

  http.handle(listImports, ({ session }) => imports.list(session.accountId));
  http.handle(startImport, call => {
    const { body, headers, raw } = call.request;
    // Nothing moves on the line while the file is checked.
    raw.socket.setTimeout(0);
    const length = Number(headers['content-length'] ?? Number.NaN);
    const stream = body instanceof Readable ? body : Readable.from([]);
    return imports.start(by(call), stream, Number.isFinite(length) ? length : null);
  });
  http.handle(cancelImport, call => imports.cancel(by(call), call.params.id));
}
