import { readFile } from 'node:fs/promises';
import { type Plugin, parseAst } from 'vite';

const ROUTES = /[\\/]packages[\\/]contract[\\/]src[\\/]routes[\\/][\w-]+\.ts$/;
const CALLS = '?calls';
/** What the HTTP client reads of a route; the rest is for the server and the compiler. */
const KEPT = ['method', 'path', 'bodyType', 'responseType', 'conditional'];

/**
 * Gives the browser's HTTP client routes without their schemas, in modules of their own: a page that calls a route
 * and checks no form needs no zod. Schemas stay where they are, for forms; `route.body` and its like fail the build.
 */
export function callsOfRoutes(): Plugin {
  return {
    name: 'milepost-calls-of-routes',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /\.ts\?calls$/ },
      async handler(id) {
        const code = await readFile(id.slice(0, -CALLS.length), 'utf8');
        return routesIn(code)
          .map(({ name, fields }) => `export const ${name} = { ${fields.join(', ')} };`)
          .join('\n');
      },
    },
    transform: {
      filter: { id: [ROUTES, /[\\/]apps[\\/]web[\\/]src[\\/].*\.tsx?$/] },
      handler(code, id) {
        if (!ROUTES.test(id)) {
          const schema = schemaOfRoute(code);
          if (schema) this.error(`${schema} is not there in the browser: give the schema a name in the contract.`);
          return null;
        }
        const routes = routesIn(code);
        if (routes.length === 0) return null;
        let left = code;
        for (const { start, end } of routes.toReversed()) left = left.slice(0, start) + left.slice(end);
        const names = routes.map(({ name }) => name).join(', ');
        return { code: `${left}\nexport { ${names} } from ${JSON.stringify(id + CALLS)};\n`, map: null };
      },
    },
  };
}

/** Each `export const name = defineRoute({ … })` with the fields that a call needs, and where it stands. */
function routesIn(code: string) {
  return parseAst(code, { lang: 'ts' }).body.flatMap(statement => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') return [];
    const [variable] = statement.declaration.declarations;
    if (variable?.id.type !== 'Identifier' || variable.init?.type !== 'CallExpression') return [];
    const { callee, arguments: given } = variable.init;
    const [route] = given;
    if (callee.type !== 'Identifier' || callee.name !== 'defineRoute' || route?.type !== 'ObjectExpression') return [];
    const fields = route.properties
      .filter(field => field.type === 'Property' && field.key.type === 'Identifier' && KEPT.includes(field.key.name))
      .map(({ start, end }) => code.slice(start, end));
    return [{ name: variable.id.name, fields, start: statement.start, end: statement.end }];
  });
}

/** The first schema that a module reads from a route it imports from the contract, if any. */
function schemaOfRoute(code: string): string | undefined {
  const names = code.match(/import \{([^}]*)\} from '@milepost\/contract'/)?.[1]?.match(/\w+/g) ?? [];
  return names.length === 0
    ? undefined
    : code.match(new RegExp(`(?<!typeof )\\b(?:${names.join('|')})\\.(?:params|query|body|response)\\b`))?.[0];
}
