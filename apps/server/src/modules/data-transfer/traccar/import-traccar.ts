import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../../context.ts';
import type { VehicleState } from '../../../fleet/vehicle-state.ts';
import type { JobRun } from '../../../jobs/one-off.ts';
import type { Author } from '../../audit/audit.ts';
import type { Files } from '../../documents/files.ts';
import { checkImport, importAccount } from '../import.ts';
import { Found } from '../tracks/found.ts';
import { convert } from './convert.ts';
import { isOfTraccar, type NamedFile, readTraccar } from './read-traccar.ts';

interface Parts {
  readonly context: Context;
  readonly documents: Files;
  readonly run: JobRun;
  readonly author: Author;
  readonly files: readonly (NamedFile & { readonly bytes: number })[];
  readonly dryRun: boolean;
  /** A place for the converted account, which may be as large as the files. */
  readonly scratch: string;
}

/**
 * Converts what was taken out of Traccar, as `npm run from-traccar` does, and imports it into an empty account: all of it
 * or nothing. A dry run checks it in the same way and undoes it. Null if the job is cancelled or stopped.
 */
/** No users are made of those of Traccar. */
const NOBODY = { role: 'viewer', readOnly: true, scope: null } as const;

export async function importTraccar({
  author,
  context,
  documents,
  dryRun,
  files,
  run,
  scratch,
}: Parts): Promise<ReadonlyMap<number, VehicleState> | null> {
  const found = new Found();
  for (const file of files) if (!isOfTraccar(file)) found.problem(file.name, 1, 'not-traccar', '');
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const secondHalf = (share: number): number => Math.round((total / 2) * (1 + Math.min(1, share)));
  let [done, current, bytesOfCurrent] = [0, '', 0];
  const data = readTraccar(files, {
    read: ({ path }, bytes) => {
      if (path !== current) [done, current] = [done + bytesOfCurrent, path];
      bytesOfCurrent = bytes;
    },
    unreadable: name => found.problem(name, 1, 'unreadable', ''),
  });
  const { counts, lines } = convert(data, ({ code, detail, name, row, what }) =>
    found.problem(what, row, code, [name, detail].filter(Boolean).join(': ')),
  );
  let [written, finished] = [0, false];
  async function* half(): AsyncGenerator<string> {
    for await (const line of lines) {
      if (run.signal.aborted) return;
      written++;
      yield line;
      // Reading is the first half of the work.
      if (written % 1000 === 0) await run.progress(Math.round((done + bytesOfCurrent) / 2));
    }
    finished = true;
  }
  try {
    await pipeline(half(), createWriteStream(scratch, { mode: 0o600 }));
    if (!finished) return null;
    found.tables = counts;
    found.accepted = Object.values(counts).reduce((sum, count) => sum + count, 0);
    found.rows = found.accepted + found.problemCount;
    const report = found.report();
    if (dryRun) {
      const { size } = await stat(scratch);
      const checking = { ...run, progress: (read: number) => run.progress(secondHalf(read / size)) };
      if ((await checkImport(context, { run: checking, grantor: NOBODY, path: scratch })) === null) return null;
      await run.finish({ report });
      return new Map();
    }
    const importing: JobRun = {
      ...run,
      progress: read => run.progress(secondHalf(read / written)),
      finish: (_, trx) => run.finish({ report }, trx),
    };
    return await importAccount(context, documents, { run: importing, author, grantor: NOBODY, path: scratch });
  } finally {
    await rm(scratch, { force: true });
  }
}
