import { readFileSync } from 'node:fs';
import { hosCommand } from './command-line.ts';

const { lines, error } = hosCommand(process.argv.slice(2), path => readFileSync(path, 'utf8'));
if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
if (error !== null) {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}
