/** The table of allowed imports (docs/architecture.md) as data, and the pure check of a file's imports against it. */

/** Workspace → the workspaces it may import. No other imports between workspaces are allowed. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'packages/units': [],
  'packages/contract': ['units'],
  'packages/decoders': ['units'],
  'packages/geo': ['units'],
  'packages/eld': ['hos', 'units'],
  'packages/hos': ['units'],
  'packages/track': [],
  'packages/client': ['contract'],
  'apps/server': ['contract', 'decoders', 'eld', 'geo', 'hos', 'track', 'units'],
  'apps/web': ['client', 'contract', 'eld', 'geo', 'hos', 'track', 'units'],
  'apps/simulator': ['client', 'contract', 'decoders', 'geo', 'hos', 'units'],
};

/** Packages of pure functions: no clock, no files, no sockets. Their command-line entry points are exempt. */
const PURE = [
  'packages/units',
  'packages/contract',
  'packages/decoders',
  'packages/geo',
  'packages/eld',
  'packages/hos',
  'packages/track',
];
/** What a package offers beside its entry: the texts that server and app both use, a file for each language. */
const TEXTS = /^contract\/texts\/[\w-]+\/[\w-]+\.json$/;
const ENTRY_OR_TEST = /(\/(cli|fuzz)[^/]*\.ts|\.test\.tsx?)$/;

export interface Import {
  readonly from: string;
  /** As written: `./x.ts`, `@milepost/geo`, `zod`, `node:fs`. */
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const STATEMENT =
  /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^'"();]*?\sfrom\s*)?['"](?<static>[^'"\n]+)['"]|\bimport\(\s*['"](?<dynamic>[^'"\n]+)['"]/gm;

/** The imports of one file's text. */
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

const webRoomOf = (file: string): string | null => /^apps\/web\/src\/([^/]+)/.exec(file)?.[1] ?? null;
/** What everything in the web app stands on may itself use these rooms … */
const UNDER_BASE = ['base', 'ui', 'format', 'locales', 'paths.ts'];
/** … and the shell around the pages is known to these only. */
const OVER_APP = ['app', 'features', 'routes.tsx', 'main.tsx'];

/** The target of a relative import, as a path from the repository's root. */
export function resolveRelative(from: string, specifier: string): string {
  const parts = [...from.split('/').slice(0, -1), ...specifier.split('/')];
  const resolved: string[] = [];
  for (const part of parts) {
    if (part === '..') resolved.pop();
    else if (part !== '.') resolved.push(part);
  }
  return resolved.join('/').replace(/\?.*$/, '');
}

/** What is wrong with an import, or null. `dependencies` are the npm packages that the workspace declares. */
export function judge({ from, specifier, typeOnly }: Import, dependencies: ReadonlySet<string>): string | null {
  const workspace = workspaceOf(from);
  if (!workspace) return null;
  const allowed = MAY_IMPORT[workspace];
  if (!allowed) return `${workspace} is not in the table of who may import whom`;

  if (specifier.startsWith('.')) {
    const target = resolveRelative(from, specifier);
    if (!target.startsWith(`${workspace}/`)) return `leaves ${workspace}; import the package by its name`;
    const rooms = [webRoomOf(from), webRoomOf(target)];
    if (rooms[0] === 'base' && !ENTRY_OR_TEST.test(from) && !UNDER_BASE.includes(rooms[1] ?? '')) {
      return `base stands under ${rooms[1]}`;
    }
    if (rooms[1] === 'app' && rooms[0] !== null && !OVER_APP.includes(rooms[0] ?? '') && !ENTRY_OR_TEST.test(from)) {
      return `only pages and routes may import app, the shell around them`;
    }
    const [feature, other] = [featureOf(from), featureOf(target)];
    if (feature && other && feature !== other) return `feature ${feature} may not import feature ${other}`;
    if (!feature && other && !/\/(routes|main)\.tsx$/.test(from)) return `only routes.tsx may import a feature`;
    return null;
  }
  const own = /^@milepost\/([^/]+)(\/.*)?$/.exec(specifier);
  if (own) {
    if (own[2] && !TEXTS.test(`${own[1]}${own[2]}`)) return `import ${own[1]} by its entry, not by a file in it`;
    return allowed.includes(own[1] ?? '') ? null : `${workspace} may not import ${own[1]}`;
  }
  if (specifier.startsWith('node:')) {
    return PURE.includes(workspace) && !ENTRY_OR_TEST.test(from)
      ? `${workspace} is pure and may not use ${specifier}`
      : null;
  }
  if (specifier.startsWith('virtual:')) return null;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  // Types of a package that ships none, or of a package that consists only of types.
  if (typeOnly && dependencies.has(`@types/${name}`)) return null;
  return dependencies.has(name) ? null : `${name} is not among the dependencies of ${workspace}`;
}

/**
 * The rooms of `apps/server/src`, from the ground up: a room imports only from rooms below it, types included. Rooms on
 * one line don't import each other.
 */
const SERVER_FLOORS: readonly (readonly string[])[] = [
  ['config'],
  ['lifecycle'],
  ['db', 'mail'],
  ['bus', 'feed', 'jobs', 'tracks'],
  ['context.ts', 'app-error.ts', 'backup'],
  ['watching', 'logs', 'points'],
  ['limits', 'workers'],
  ['http'],
  ['fleet'],
  ['projections'],
  ['ingest'],
  ['realtime'],
  ['modules'],
  ['features.ts'],
  ['app.ts', 'owner.ts', 'backup.ts', 'from-traccar.ts', 'restore.ts', 'upgrade.ts'],
  ['main.ts'],
];

const SERVER = 'apps/server/src/';
const roomOf = (file: string): string | null =>
  file.startsWith(SERVER) ? (file.slice(SERVER.length).split('/', 1)[0] ?? null) : null;
const floorOf = (room: string): number => SERVER_FLOORS.findIndex(rooms => rooms.includes(room));

/** What is wrong with an import between rooms of the server, or null. Tests may import from any room. */
export function judgeFloors({ from, specifier }: Import): string | null {
  const room = roomOf(from);
  if (room === null || !specifier.startsWith('.') || ENTRY_OR_TEST.test(from)) return null;
  const target = resolveRelative(from, specifier);
  if (target.startsWith('apps/server/testing/')) return 'only tests may import apps/server/testing';
  const other = roomOf(target);
  if (other === null || other === room) return null;
  const unknown = [room, other].find(name => floorOf(name) < 0);
  if (unknown !== undefined) return `${unknown} has no floor in tools/imports.ts`;
  return floorOf(other) < floorOf(room) ? null : `${room} stands no higher than ${other}`;
}

const TRACKS = `${SERVER}tracks/`;
/** The positions table in SQL, or in a query builder. */
const POSITION_TABLE =
  /\b(?:from|join|into|update|copy|table)\s+"?(?:position(?:_\w+)?|sealed_day)"?\s*[(\w$]|(?:From|Into|Table)\('(?:position|sealed_day)'\)/i;

/** Only one module may use the positions table: what is wrong with a file that reads or writes it, or null. */
export function judgeTables(file: string, text: string): string | null {
  if (!file.startsWith(SERVER) || file.startsWith(TRACKS) || ENTRY_OR_TEST.test(file)) return null;
  const withoutComments = text.replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '');
  const found = POSITION_TABLE.exec(withoutComments);
  return found && `only ${TRACKS} may use the table of positions: '${found[0].trim()}'`;
}

/** The clock, chance and the machine. */
const IMPURE =
  /\bBuffer\b|\bprocess\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\b(?:setTimeout|setInterval|fetch)\(/;

/** Pure packages ask for no clock, no chance and no machine: what in a file of theirs does, or null. */
export function judgePurity(file: string, text: string): string | null {
  if (!PURE.includes(workspaceOf(file) ?? '') || ENTRY_OR_TEST.test(file)) return null;
  const found = IMPURE.exec(text);
  return found && `${workspaceOf(file)} is pure and may not use ${found[0]}`;
}

/** One import cycle, as the list of its files, or null. Type-only imports count. */
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
