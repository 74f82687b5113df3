import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of downloaded sources, given on the command line. The product does not depend on its content: it is read
 * from there, never installed here. `README.md` explains how to fill it.
 */
export interface Inputs {
  /** A package of the folder, or a JSON file of one. The caller states its type. */
  load<Shape>(specifier: string): Shape;
  /** A file or folder in it, or null if absent. */
  find(path: string): string | null;
}

export function openInputs(): Inputs {
  const [folder] = process.argv.slice(2);
  if (!folder || !existsSync(join(folder, 'node_modules'))) {
    console.error('Name the folder with the map sources. tools/map/README.md explains how to fill it.');
    process.exit(2);
  }
  const load = createRequire(join(resolve(folder), 'package.json'));
  return {
    load: specifier => load(specifier),
    find: path => {
      const file = join(folder, path);
      return existsSync(file) ? file : null;
    },
  };
}

/** The path of an output file: in `data/map`, or, for comparison, in the second folder on the command line. */
export function outputFile(name: string): string {
  const folder = process.argv[3] ?? fileURLToPath(new URL('../../data/map', import.meta.url));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    console.error(`There is no folder ${folder} to write ${name} into.`);
    process.exit(2);
  }
  return join(folder, name);
}
