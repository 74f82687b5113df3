import { Readable } from 'node:stream';
import {
  deleteMapFile,
  type MapFile,
  readBaseMap,
  readMapChoice,
  readPublicBaseMap,
  updateMapChoice,
  uploadMapFile,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { type AuditRecord, audit } from '../audit/audit.ts';
import { type By, by } from '../audit/by.ts';
import { BUILT_IN, forVisitors, publicChoice, withKeptKey } from './map-choice.ts';
import type { KnownMapFile } from './map-files.ts';
import type { Maps } from './maps.ts';

/** The base map of the installation: everyone uses it, and only the operator's account can change it. */
export function registerMaps(http: Http, { db }: Context, maps: Maps, { visibility }: Organisation): void {
  const { files } = maps;

  /** The map is for everyone, so only users who see all of the operator's account may change it. */
  async function refuseOthers(session: Session): Promise<void> {
    const account = await db.asAccount(session.accountId, trx =>
      trx.selectFrom('account').select('operator').executeTakeFirst(),
    );
    if (!account?.operator || !visibility.seesAll(session)) throw new AppError('not-allowed');
  }
  const note = ({ session, author }: By, record: AuditRecord): Promise<void> =>
    db.asAccount(session.accountId, trx => audit(trx, author, record));

  const answer = async () => ({
    choice: publicChoice(maps.chosen() ?? BUILT_IN),
    fromEnvironment: maps.fromEnvironment,
    files: (await files.list()).map(toMapFile),
  });

  http.handle(readBaseMap, async () => ({
    map: await maps.baseMap(),
    decidedBy: maps.fromEnvironment
      ? ('environment' as const)
      : maps.chosen()
        ? ('settings' as const)
        : ('nobody' as const),
  }));

  http.handle(readPublicBaseMap, async () => ({ map: forVisitors(await maps.baseMap()) }));

  http.handle(readMapChoice, async ({ session }) => {
    await refuseOthers(session);
    return answer();
  });

  http.handle(updateMapChoice, async call => {
    await refuseOthers(call.session);
    if (maps.fromEnvironment) throw new AppError('map-from-environment');
    const before = maps.chosen();
    const choice = withKeptKey(call.body, before);
    if (choice.kind === 'file') {
      const file = await files.find(choice.name);
      if (!file) throw new AppError('not-found');
      if (file.fault !== null) throw new AppError('map-file-wrong', { fault: file.fault });
    }
    const row = { choice: JSON.stringify(choice), changed_at: new Date() };
    await db.system
      .insertInto('map_setting')
      .values(row)
      .onConflict(conflict => conflict.column('singleton').doUpdateSet(row))
      .execute();
    maps.set(choice);
    const changes = [{ field: 'map', from: (before ?? BUILT_IN).kind, to: choice.kind }];
    await note(by(call), { action: 'map.changed', changes });
    return answer();
  });

  http.handle(uploadMapFile, async call => {
    await refuseOthers(call.session);
    const { name } = call.params;
    const length = Number(call.request.headers['content-length'] ?? Number.NaN);
    const body = call.request.body instanceof Readable ? call.request.body : Readable.from([]);
    const file = await files.add(name, body, Number.isFinite(length) ? length : null);
    await note(by(call), { action: 'map.file-added', target: { id: name, name } });
    return toMapFile(file);
  });

  http.handle(deleteMapFile, async call => {
    await refuseOthers(call.session);
    const { name } = call.params;
    const chosen = maps.chosen();
    if (chosen?.kind === 'file' && chosen.name === name) throw new AppError('map-file-in-use');
    await files.remove(name);
    await note(by(call), { action: 'map.file-deleted', target: { id: name, name } });
    return { ok: true as const };
  });
}

const toMapFile = ({ name, bytes, fault, bounds, maxZoom }: KnownMapFile): MapFile => ({
  name,
  bytes,
  fault,
  bounds,
  maxZoom,
});
