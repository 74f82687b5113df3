import {
  type AuditAction,
  type Backup,
  type BackupSettingsInput,
  deleteBackup,
  readBackup,
  runBackup,
  updateBackup,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { BackupAgent } from '../../backup/agent.ts';
import { wordsOf } from '../../backup/backup-error.ts';
import { keyText, makeKey } from '../../backup/key.ts';
import { type BackupPlace, openStore, placeName } from '../../backup/place.ts';
import {
  type BackupSettings,
  NO_STATE,
  readKey,
  readSettings,
  readState,
  removeSettings,
  writeKey,
  writeSettings,
} from '../../backup/settings.ts';
import { troubleOf } from '../../backup/trouble.ts';
import { openVault } from '../../backup/vault.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { audit } from '../audit/audit.ts';
import { type By, by } from '../audit/by.ts';

/** Settings › System › Backup: it concerns the whole machine, so only owners of the operator's account see it. */
export function registerBackup(http: Http, { config, db, log }: Context, agent: BackupAgent): void {
  const { dataDir } = config;
  const isEmbedded = config.databaseUrl === null;

  const refuseOthers = async ({ accountId }: Session): Promise<void> => {
    const account = await db.asAccount(accountId, trx =>
      trx.selectFrom('account').select('operator').executeTakeFirst(),
    );
    if (!account?.operator) throw new AppError('not-allowed');
  };
  const note = ({ session, author }: By, action: AuditAction, name: string): Promise<void> =>
    db.asAccount(session.accountId, trx => audit(trx, author, { action, target: { id: 'backup', name } }));

  const answer = async (session: Session): Promise<Backup> => {
    // A visitor of a public demo does not see how its machine is set up.
    const settings = session.readOnly ? null : await readSettings(dataDir);
    const state = session.readOnly ? NO_STATE : await readState(dataDir);
    const { failures, fromMs, last, storedBytes, throughMs, verified } = state;
    const running = session.readOnly ? null : await agent.running();
    const failure = (of: keyof typeof failures) =>
      failures[of] && { at: iso(failures[of].atMs), message: failures[of].message };
    return {
      settings: settings && shown(settings),
      database: isEmbedded ? 'embedded' : 'own',
      trouble: troubleOf(settings, state, { isEmbedded, nowMs: Date.now() }),
      running: running && { what: running.what, since: iso(running.sinceMs) },
      last: last && { at: iso(last.atMs), tookMs: last.tookMs, bytes: last.bytes, writtenBytes: last.writtenBytes },
      through: throughMs === null ? null : iso(throughMs),
      from: fromMs === null ? null : iso(fromMs),
      storedBytes,
      verified: verified && {
        ...{ at: iso(verified.atMs), tookMs: verified.tookMs, through: iso(verified.throughMs), rows: verified.rows },
      },
      failures: { copy: failure('copy'), journal: failure('journal'), verify: failure('verify') },
    };
  };

  http.handle(readBackup, async ({ session }) => {
    await refuseOthers(session);
    return answer(session);
  });

  http.handle(updateBackup, async call => {
    const { body, session } = call;
    await refuseOthers(session);
    const before = await readSettings(dataDir);
    const place = placeOf(body, before);
    const known = await readKey(dataDir);
    const key = known ?? makeKey();
    await openVault(openStore(place), key, { create: true }).catch((error: unknown) => {
      log.warn({ reason: wordsOf(error) }, 'The place for the backup was refused');
      throw new AppError('backup-refused', { reason: wordsOf(error) });
    });
    const { everyHours, keepDays, verifyDays, withMaps } = body;
    await writeKey(dataDir, key);
    await writeSettings(dataDir, { place, everyHours, keepDays, verifyDays, withMaps, pausedSince: null });
    await note(by(call), 'backup.changed', placeName(place));
    // The first copy begins now; the page follows it.
    if (JSON.stringify(before?.place) !== JSON.stringify(place)) await agent.begin('copy');
    return { backup: await answer(session), key: known ? null : keyText(key) };
  });

  http.handle(deleteBackup, async call => {
    await refuseOthers(call.session);
    const settings = await readSettings(dataDir);
    await removeSettings(dataDir);
    await note(by(call), 'backup.deleted', settings ? placeName(settings.place) : '');
    return answer(call.session);
  });

  http.handle(runBackup, async call => {
    const { body, session } = call;
    await refuseOthers(session);
    const settings = await readSettings(dataDir);
    if (!settings || settings.pausedSince !== null) {
      throw new AppError('backup-refused', { reason: 'No backup is set up, or it is paused.' });
    }
    // What comes of it is in the state.
    await agent.begin(body.what);
    await note(by(call), 'backup.run', placeName(settings.place));
    return answer(session);
  });
}

const iso = (ms: number): string => new Date(ms).toISOString();

const EMPTY = { folder: '', endpoint: '', region: '', bucket: '', prefix: '', accessKey: '' } as const;

function shown({ place, everyHours, keepDays, verifyDays, withMaps }: BackupSettings): Backup['settings'] {
  const rest = { everyHours, keepDays, verifyDays, withMaps };
  if (place.kind === 'folder') return { ...EMPTY, kind: 'folder', folder: place.folder, ...rest };
  const { accessKey, bucket, endpoint, prefix, region } = place;
  return { ...EMPTY, kind: 's3', endpoint, region, bucket, prefix, accessKey, ...rest };
}

/** An empty secret key is that of before, as long as it goes to the same store. */
function placeOf(body: BackupSettingsInput, before: BackupSettings | null): BackupPlace {
  if (body.kind === 'folder') return { kind: 'folder', folder: body.folder };
  const { accessKey, bucket, endpoint, region } = body;
  const prefix = body.prefix.replace(/^\/+|\/+$/g, '');
  const kept = before?.place.kind === 's3' && before.place.endpoint === endpoint ? before.place.secretKey : '';
  const secretKey = body.secretKey === '' ? kept : body.secretKey;
  if (secretKey === '') throw new AppError('backup-refused', { reason: 'Enter the secret key.' });
  return { kind: 's3', endpoint, region, bucket, prefix, accessKey, secretKey };
}
