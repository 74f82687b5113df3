import { readFileSync } from 'node:fs';
import { verifyCommand } from './verify-command.ts';

/** `npm run verify-log`. */
const { line, error } = verifyCommand(process.argv.slice(2), path => readFileSync(path));
if (line !== null) process.stdout.write(`${line}\n`);
if (error !== null) {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}
