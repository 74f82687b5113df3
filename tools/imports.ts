/**
 * The table of who may import whom (docs/architecture.md) as data, and the pure check of a file's imports against it.
 */

/** Workspace → the workspaces it may import. Nothing else in the product may import another part. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'packages/units': [],
  'packages/contract': ['units'],
  'packages/decoders': ['units'],
  'packages/geo': ['units'],
  'packages/eld': ['hos', 'units'],
  'packages/hos': ['units'],
  'packages/client': ['contract'],
  'apps/server': ['contract', 'decoders', 'eld', 'geo', 'hos', 'units'],
  'apps/web': ['client', 'contract', 'eld', 'geo', 'hos', 'units'],
  'apps/simulator': ['client', 'contract', 'decoders', 'geo', 'hos', 'units'],
};

/** Packages that are functions over values: no clock, no files, no sockets. Their command-line entries are exempt. */
const PURE = [
  'packages/units',
  'packages/contract',
  'packages/decoders',
  'packages/geo',
  'packages/eld',
  'packages/hos',
];
const ENTRY_OR_TEST = /(\/(cli|fuzz)[^/]*\.ts|\.test\.tsx?)$/;

export interface Import {
  readonly from: string;
  /** As written: `./x.ts`, `@milepost/geo`, `zod`, `node:fs`. */
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const STATEMENT =
  /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^'"();]*?\sfrom\s*)?['"](?<static>[^'"\n]+)['"]|\bimport\(\s*['"](?<dynamic>[^'"\n]+)['"]/gm;

/** The imports of one file's text. Type-only ones count for the table, not for cycles. */
export function importsOf(file: string, text: string): Import[] {
  const withoutComments = text.replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '');
  return [...withoutComments.matchAll(STATEMENT)].map(({ groups }) => ({
    from: file,
    specifier: groups?.static ?? groups?.dynamic ?? '',
    typeOnly: groups?.type !== undefined,
  }));
}

const workspaceOf = (file: string): string | null => /^((?:packages|apps)\/[^/]+)\//.exec(file)?.[1] ?? null;
const featureOf = (file: string): string | null => /^apps\/web\/src\/features\/([^/]+)\//.exec(file)?.[1] ?? null;

/** Where a relative import leads, as a path from the repository's root. */
export function resolveRelative(from: string, specifier: string): string {
  const parts = [...from.split('/').slice(0, -1), ...specifier.split('/')];
  const resolved: string[] = [];
  for (const part of parts) {
    if (part === '..') resolved.pop();
    else if (part !== '.') resolved.push(part);
  }
  return resolved.join('/').replace(/\?.*$/, '');
}

/** What is wrong with one import, or null. `dependencies` are the npm packages that the workspace declares. */
export function judge({ from, specifier, typeOnly }: Import, dependencies: ReadonlySet<string>): string | null {
  const workspace = workspaceOf(from);
  if (!workspace) return null;
  const allowed = MAY_IMPORT[workspace];
  if (!allowed) return `${workspace} is not in the table of who may import whom`;

  if (specifier.startsWith('.')) {
    const target = resolveRelative(from, specifier);
    if (!target.startsWith(`${workspace}/`)) return `leaves ${workspace}; import the package by its name`;
    const [feature, other] = [featureOf(from), featureOf(target)];
    if (feature && other && feature !== other) return `feature ${feature} may not import feature ${other}`;
    if (!feature && other && !/\/(routes|main)\.tsx$/.test(from)) return `only routes.tsx may import a feature`;
    return null;
  }
  const own = /^@milepost\/([^/]+)(\/.*)?$/.exec(specifier);
  if (own) {
    if (own[2]) return `import ${own[1]} by its entry, not by a file in it`;
    return allowed.includes(own[1] ?? '') ? null : `${workspace} may not import ${own[1]}`;
  }
  if (specifier.startsWith('node:')) {
    return PURE.includes(workspace) && !ENTRY_OR_TEST.test(from)
      ? `${workspace} is pure and may not use ${specifier}`
      : null;
  }
  if (specifier.startsWith('virtual:')) return null;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  // Types of a package that has none of its own, or is nothing but types.
  if (typeOnly && dependencies.has(`@types/${name}`)) return null;
  return dependencies.has(name) ? null : `${name} is not among the dependencies of ${workspace}`;
}

/** One cycle among files, as the list of its files, or null. Edges are value imports. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | null => {
    if (done.has(file)) return null;
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    path.push(file);
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(file);
    return null;
  };
  for (const file of edges.keys()) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return null;
}
