import { parseAst } from 'vite';

/** What the HTTP client reads of a route; the rest is for the server and the compiler. */
const OF_A_CALL = ['method', 'path', 'bodyType', 'responseType', 'conditional'];

export interface Declaration {
  readonly name: string;
  readonly isExported: boolean;
  /** Without `export`. */
  readonly text: string;
  /** The value of a constant; null for a function or a class. */
  readonly value: string | null;
  /** Of a route, the fields that a call needs; null for anything else. */
  readonly call: string | null;
  /** Names of the file that it uses as values. */
  readonly uses: ReadonlySet<string>;
}

export interface Import {
  readonly source: string;
  /** Local names and what the other file calls them. */
  readonly locals: ReadonlyMap<string, string>;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The imports of values, the declarations of values and the re-exports of a TypeScript file, in their order. */
export function readModule(code: string) {
  const imports: Import[] = [];
  const reexports: string[] = [];
  const declarations: Declaration[] = [];
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) => code.slice(start, end);
  for (const statement of parseAst(code, { lang: 'ts' }).body) {
    if (statement.type === 'ImportDeclaration') {
      const locals = new Map(
        statement.specifiers.map(one => [
          one.local.name,
          one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? one.imported.name : '*',
        ]),
      );
      if (statement.importKind !== 'type') imports.push({ source: statement.source.value, locals });
      continue;
    }
    const isExported = statement.type === 'ExportNamedDeclaration';
    if (statement.type === 'ExportAllDeclaration' || (isExported && statement.source)) {
      reexports.push(textOf(statement));
      continue;
    }
    const declared = isExported ? statement.declaration : statement;
    if (declared?.type === 'VariableDeclaration') {
      for (const { id, init } of declared.declarations) {
        if (!init) throw new Error(`A constant without a value: ${textOf(declared)}`);
        const value = textOf(init);
        const uses = valuesIn(init);
        const call = callOf(init as unknown as Node, textOf);
        if (id.type === 'Identifier') {
          const text = `const ${code.slice(id.start, init.end)};`;
          declarations.push({ name: id.name, isExported, text, value, call, uses });
        }
        // `const { a, b } = OBJECT` is two constants.
        for (const name of id.type === 'ObjectPattern' ? valuesIn(id) : []) {
          const field = `(${value}).${name}`;
          declarations.push({ name, isExported, text: `const ${name} = ${field};`, value: field, call: null, uses });
        }
      }
    } else if (declared?.type === 'FunctionDeclaration' && declared.id) {
      const { name } = declared.id;
      declarations.push({
        name,
        isExported,
        text: textOf(declared),
        value: null,
        call: null,
        uses: valuesIn(declared),
      });
    } else if (declared && !declared.type.startsWith('TS')) {
      throw new Error(`The contract consists of constants, functions and types, not of: ${textOf(declared)}`);
    }
  }
  return { declarations, imports, reexports };
}

/** Of `defineRoute({ … })`, the fields that a call needs. */
function callOf(init: Node, textOf: (node: Node) => string): string | null {
  const { callee, arguments: given } = init as unknown as { callee?: Node & { name?: string }; arguments?: Node[] };
  const [route] = given ?? [];
  if (callee?.name !== 'defineRoute' || route?.type !== 'ObjectExpression') return null;
  const fields = (route.properties as (Node & { key?: { name?: string } })[]).filter(
    ({ key }) => key?.name !== undefined && OF_A_CALL.includes(key.name),
  );
  return `{ ${fields.map(textOf).join(', ')} }`;
}

/** TypeScript's nodes that stand around a value. */
const AROUND_A_VALUE = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

/** Every name in the code below a node, except those of types and of fields. */
function valuesIn(node: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(node)) for (const one of node) valuesIn(one, found);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return found;
  const { type, name, expression, computed, ...fields } = node as Partial<Node>;
  if (typeof type === 'string' && type.startsWith('TS')) {
    return AROUND_A_VALUE.has(type) ? valuesIn(expression, found) : found;
  }
  if (type === 'Identifier') return found.add(name as string);
  const named = { MemberExpression: 'property', Property: 'key' }[type as string];
  valuesIn(expression, found);
  for (const [field, value] of Object.entries(fields)) if (computed || field !== named) valuesIn(value, found);
  return found;
}
