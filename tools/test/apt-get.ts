import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** False, and why on standard error, if it fails. */
export async function runAptGet(...args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await promisify(execFile)('apt-get', args, { env });
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return false;
  }
}
