import { readFileSync } from 'node:fs';
import { decodeCommand } from './command-line.ts';

const { lines, error } = decodeCommand(process.argv.slice(2), path => readFileSync(path, 'utf8'), Date.now());
if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
if (error !== null) {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}
