import { Readable } from 'node:stream';
import { exportData, importData } from '@milepost/contract';
import type { Context } from '../../context.ts';
import { believedCard } from '../../fleet/driving.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import { audit } from '../audit/audit.ts';
import { by } from '../audit/by.ts';
import { openFiles } from '../documents/files.ts';
import { exportLines } from './export.ts';
import { importAccount } from './import.ts';
import { clearUploads, withUpload } from './spool.ts';

export function registerDataTransfer(http: Http, context: Context, organisation: Organisation): void {
  const { config, db, feed, log } = context;
  const { driving, live } = organisation;
  const files = openFiles(config.dataDir);
  clearUploads(config.dataDir).catch((error: unknown) => log.warn({ err: error }, 'Could not remove old uploads'));

  http.handle(exportData, async call => {
    const { accountId } = call.session;
    await db.asAccount(accountId, trx => audit(trx, by(call).author, { action: 'data.exported' }));
    const lines = exportLines(context, files, accountId, call.query.positions === 'true');
    const day = new Date().toISOString().slice(0, 10);
    return new FileAnswer(Readable.from(lines, { objectMode: false }), {
      type: 'application/x-ndjson',
      saveAs: `milepost-${day}.ndjson`,
    });
  });

  http.handle(importData, async call => {
    const { accountId } = call.session;
    // Nothing moves on the line while the file is read into the database.
    call.request.raw.socket.setTimeout(0);
    const body = call.request.body instanceof Readable ? call.request.body : Readable.from([]);
    const { rows, states } = await withUpload(config.dataDir, body, path =>
      importAccount(context, files, by(call), path),
    );
    const byAge = [...states].sort(([, a], [, b]) => (a.newest?.fixAt ?? 0) - (b.newest?.fixAt ?? 0));
    for (const [id, state] of byAge) {
      live.set(accountId, id, state);
      driving.reported(accountId, id, null, believedCard(state.newest));
    }
    await feed.settled();
    return { rows: { ...rows } };
  });
}
