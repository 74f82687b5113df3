import type { Config } from '../config/config.ts';
import { decide } from '../config/decide.ts';
import { type Environment, readEnvironment } from '../config/env.ts';
import { readVersion } from '../config/version.ts';
import { StartupError } from '../lifecycle/startup-error.ts';
import { type BackupPlace, parsePlace } from './place.ts';

/** Runs one of the programs around a backup: what the user can mend is one sentence, anything else a stack trace. */
export async function runProgram(run: () => Promise<number>): Promise<never> {
  try {
    process.exit(await run());
  } catch (error) {
    const isTyped = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    if (!(error instanceof StartupError) && !isTyped) throw error;
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** The server's own settings. */
export function readConfig(): Config {
  const decision = decide(readEnvironment(), readVersion());
  if ('problems' in decision) throw new StartupError(decision.problems.join('\n'));
  return decision.config;
}

/** A place as it was typed, with the keys of a store from the environment. */
export function typedPlace(
  text: string,
  { endpoint, region }: { readonly endpoint?: string | undefined; readonly region?: string | undefined },
): BackupPlace {
  const { BACKUP_S3_ACCESS_KEY: accessKey, BACKUP_S3_SECRET_KEY: secretKey }: Environment = readEnvironment();
  return parsePlace(text, {
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    ...(accessKey && { accessKey }),
    ...(secretKey && { secretKey }),
  });
}
