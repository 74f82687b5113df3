import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of downloaded sources, named on the command line. The product does not depend on what is in it: it is read
 * from there, never installed here. `README.md` says how to fill it.
 */
export interface Inputs {
  /** A package of the folder, or a JSON file of one. The caller says what it knows of its shape. */
  load<Shape>(specifier: string): Shape;
  /** A file or folder in it, or null where it is not there. */
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

/** Where a made file goes: into `data/map`, or, to compare, into the folder that is named second. */
export function outputFile(name: string): string {
  const folder = process.argv[3] ?? fileURLToPath(new URL('../../data/map', import.meta.url));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    console.error(`There is no folder ${folder} to write ${name} into.`);
    process.exit(2);
  }
  return join(folder, name);
}
