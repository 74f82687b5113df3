/** `npm run bench -- NAME`: runs `bench/NAME.ts`, whose last line of output is one JSON object with the figures. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BENCH = /^([a-z-]+)\.ts$/;
const names = readdirSync(import.meta.dirname).flatMap(file => {
  const name = BENCH.exec(file)?.[1];
  const text = name ? readFileSync(join(import.meta.dirname, file), 'utf8') : '';
  return name && name !== 'run' && text.includes('export async function run(') ? [name] : [];
});

const [name = '', ...args] = process.argv.slice(2);
if (names.includes(name)) {
  const { run } = (await import(join(import.meta.dirname, `${name}.ts`))) as {
    run: (args: readonly string[]) => Promise<void>;
  };
  await run(args);
} else {
  process.stderr.write(`Say what to measure: npm run bench -- ${names.join(' | ')}\n`);
  process.exitCode = 1;
}
