import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { referencesOf } from './documents.ts';

/** `npm run check:docs`: checks that every path and link in the documents exists. */

const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter(file => file !== '' && existsSync(file));

const dead = documents.flatMap(document =>
  referencesOf(document, readFileSync(document, 'utf8'))
    .filter(reference => !existsSync(reference.path))
    .map(reference => `${document}:${reference.line}: there is no ${reference.path}`),
);

if (dead.length > 0) {
  console.error(dead.join('\n'));
  process.exit(1);
}
console.log(`documents: ${documents.length} files, no dead path`);
