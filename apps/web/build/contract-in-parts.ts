import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { type Declaration, type Import, readModule } from './contract-module.ts';

const CONTRACT = /[\\/]packages[\\/]contract[\\/]src[\\/](?!index\.ts)[\w\\/-]+\.ts$/;
const PLAIN = '?plain';
const CALLS = '?calls';

/**
 * Serves each file of the contract to the browser as up to three modules, so that the contract can keep what belongs
 * together in one file and a page still loads only what it uses: the calls of its routes, constants and functions that
 * need no schema, and the schemas. Without it, a page that lists the types of vehicles would load zod and every schema
 * about vehicles. `route.body` and its like fail the build: a route in the browser has none.
 */
export function contractInParts(): Plugin {
  return {
    name: 'milepost-contract-in-parts',
    apply: 'build',
    enforce: 'pre',
    buildStart: () => modules.clear(),
    load: {
      filter: { id: /\.ts\?(?:calls|plain)$/ },
      async handler(id) {
        const [file = '', part] = id.split('?');
        const { imports, parts } = await divided(file);
        if (part === 'calls') return parts.route.map(({ name, call }) => `export const ${name} = ${call};`).join('\n');
        return [...needed(imports, parts.plain), ...parts.plain.map(({ text }) => text), exported(parts.plain)].join(
          '\n',
        );
      },
    },
    transform: {
      filter: { id: [CONTRACT, /[\\/]apps[\\/]web[\\/]src[\\/].*\.tsx?$/] },
      async handler(code, id) {
        if (!CONTRACT.test(id)) {
          const schema = schemaOfRoute(code);
          if (schema) this.error(`${schema} is not there in the browser: give the schema a name in the contract.`);
          return null;
        }
        const { imports, reexports, parts } = await divided(id);
        if (parts.route.length === 0 && parts.schema.length === 0) return null;
        const plain = JSON.stringify(id + PLAIN);
        const offered = (all: readonly Declaration[]) => all.filter(({ isExported }) => isExported);
        return {
          code: [
            ...needed(imports, parts.schema),
            ...reexports,
            `import { ${names(parts.plain)} } from ${plain};`,
            `export { ${names(offered(parts.plain))} } from ${plain};`,
            `export { ${names(parts.route)} } from ${JSON.stringify(id + CALLS)};`,
            ...parts.schema.map(({ text, name, value }) =>
              // Schemas that nobody uses then go: a bundler can't know that building one does nothing else.
              value === null ? text : `const ${name} = /* @__PURE__ */ (() => (${value}))();`,
            ),
            exported(offered(parts.schema)),
          ].join('\n'),
          map: null,
        };
      },
    },
  };
}

/** The imports that these use; one that stands there unused would bring its file into the same chunk. */
const needed = (imports: readonly Import[], all: readonly Declaration[]): string[] =>
  imports.flatMap(({ locals, source }) => {
    const used = [...locals].filter(([local]) => all.some(({ uses }) => uses.has(local)));
    const list = used.map(([local, original]) => (local === original ? local : `${original} as ${local}`)).join(', ');
    return used.length === 0 ? [] : [`import { ${list} } from ${JSON.stringify(source)};`];
  });

const names = (all: readonly Declaration[]): string => all.map(({ name }) => name).join(', ');
const exported = (all: readonly Declaration[]): string => `export { ${names(all)} };`;

type Part = 'route' | 'schema' | 'plain';

/** The declarations of a file of the contract by the part they are served in. */
async function divided(file: string) {
  const { declarations, imports, reexports } = await moduleAt(file);
  const parts: Record<Part, Declaration[]> = { route: [], schema: [], plain: [] };
  for (const one of declarations) {
    parts[one.call !== null ? 'route' : (await needsZod(file, one.name)) ? 'schema' : 'plain'].push(one);
  }
  return { imports, reexports, parts };
}

const modules = new Map<string, Promise<ReturnType<typeof readModule>>>();

/** A file of the contract; each is asked about by many others, so it is read once for each build. */
async function moduleAt(file: string) {
  const known = modules.get(file);
  if (known) return known;
  const read = readFile(file, 'utf8').then(readModule);
  modules.set(file, read);
  return read;
}

/** Whether what a file calls by this name is made with zod, by itself or by what it uses from this and other files. */
async function needsZod(file: string, name: string, asked: Set<string> = new Set()): Promise<boolean> {
  const key = `${file}#${name}`;
  if (asked.has(key)) return false;
  asked.add(key);
  const { declarations, imports } = await moduleAt(file);
  for (const { locals, source } of imports) {
    const original = locals.get(name);
    if (original === undefined) continue;
    return source === 'zod' || (source.startsWith('.') && needsZod(resolve(dirname(file), source), original, asked));
  }
  for (const used of declarations.find(one => one.name === name)?.uses ?? []) {
    if (await needsZod(file, used, asked)) return true;
  }
  return false;
}

/** The first schema that a module reads from a route it imports from the contract, if any. */
function schemaOfRoute(code: string): string | undefined {
  const given = code.match(/import \{([^}]*)\} from '@milepost\/contract'/)?.[1]?.match(/\w+/g) ?? [];
  return given.length === 0
    ? undefined
    : code.match(new RegExp(`(?<!typeof )\\b(?:${given.join('|')})\\.(?:params|query|body|response)\\b`))?.[0];
}
