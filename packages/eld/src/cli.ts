import { readFileSync } from 'node:fs';
import { verifyCommand } from './verify-command.ts';

/** `npm run verify-log`. Bytes that are no UTF-8 become characters that no record has, and are found as such. */
const { line, trouble } = verifyCommand(process.argv.slice(2), path => readFileSync(path, 'utf8'));
if (line !== null) process.stdout.write(`${line}\n`);
if (trouble !== null) {
  process.stderr.write(`${trouble}\n`);
  process.exitCode = 1;
}
