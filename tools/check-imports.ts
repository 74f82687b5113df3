import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import {
  findCycle,
  importsOf,
  judge,
  judgeFloors,
  judgePurity,
  judgeTables,
  MAY_IMPORT,
  resolveRelative,
} from './imports.ts';

/** `npm run check:imports`: checks every import of the product against the table, and for cycles. */

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'packages', 'apps'], { encoding: 'utf8' })
  .split('\n')
  .filter(file => /\.tsx?$/.test(file) && existsSync(file));

const declared = (manifest: string): string[] => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
  return Object.keys({ ...dependencies, ...devDependencies });
};
/** Test tools and types are in the root's manifest. */
const shared = declared('package.json');
const dependenciesOf = new Map(
  Object.keys(MAY_IMPORT).map(workspace => [workspace, new Set([...shared, ...declared(`${workspace}/package.json`)])]),
);

const wrong: string[] = [];
const edges = new Map<string, string[]>();
for (const file of files) {
  const workspace = file.split('/', 2).join('/');
  const text = readFileSync(file, 'utf8');
  for (const complaint of [judgeTables(file, text), judgePurity(file, text)]) {
    if (complaint) wrong.push(`${file}: ${complaint}`);
  }
  const imports = importsOf(file, text);
  for (const one of imports) {
    const complaint = judge(one, dependenciesOf.get(workspace) ?? new Set()) ?? judgeFloors(one);
    if (complaint) wrong.push(`${file}: '${one.specifier}': ${complaint}`);
  }
  edges.set(
    file,
    imports.filter(one => one.specifier.startsWith('.')).map(one => resolveRelative(file, one.specifier)),
  );
}
const cycle = findCycle(edges);
if (cycle) wrong.push(`A circle of imports: ${cycle.join(' → ')}`);

if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
console.log(`imports: ${files.length} files follow the table`);
