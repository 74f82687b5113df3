/** What `package-lock.json` says about a package. */
export interface LockedPackage {
  /** An SPDX expression, if its author wrote one. */
  readonly license?: string;
  readonly version?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  /** A package of this repository. */
  readonly link?: boolean;
}

/** Whether the package at a path of `package-lock.json` is more than a developers' tool. */
export const ships = (path: string, { dev, devOptional, link }: LockedPackage): boolean =>
  path.includes('node_modules/') && !dev && !devOptional && !link;

const FOLDER = 'node_modules/';

/** The name of the package in a folder. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

/** SPDX identifiers of licenses that ask for no more than their text and the authors' names. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Whether an SPDX expression can be met with permissive licenses alone. Exceptions (`WITH`) are read as unknown. */
export function isPermissive(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const anyOf = (): boolean => {
    let met = allOf();
    while (tokens[at] === 'OR') {
      at++;
      met = allOf() || met;
    }
    return met;
  };
  const allOf = (): boolean => {
    let met = one();
    while (tokens[at] === 'AND') {
      at++;
      met = one() && met;
    }
    return met;
  };
  const one = (): boolean => {
    const token = tokens[at++];
    if (token !== '(') return token !== undefined && PERMISSIVE.has(token);
    const met = anyOf();
    return tokens[at++] === ')' && met;
  };
  return anyOf() && at === tokens.length;
}

/**
 * The packages that ship (all but developers' tools) and are neither permissively licensed nor named in NOTICE by their
 * folder, each with its license.
 */
export function unlicensed(packages: Readonly<Record<string, LockedPackage>>, notice: string): string[] {
  const named = [...notice.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+\*?)/g)].map(([, name = '']) => name);
  const isNamed = (name: string): boolean =>
    named.some(known => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known));
  return Object.entries(packages).flatMap(([path, locked]) => {
    const { license = '' } = locked;
    const name = nameOf(path);
    if (!ships(path, locked) || isPermissive(license) || isNamed(name)) return [];
    return [`${name}: ${license || 'no license'}`];
  });
}
