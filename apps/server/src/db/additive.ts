/**
 * Statements after which code that was written for the schema before may fail: something that it reads or writes is
 * gone, has another name or type, or must now be filled or unique.
 */
const BREAKING: readonly RegExp[] = [
  /\bdrop\s+(table|column|view|index|function|trigger|type|schema|role|constraint|default)\b/,
  /\bdrop\s+(if\s+exists\s+)?(?!not\s+null|policy)\w+\s*(,|;|$)/,
  /\brename\b/,
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/,
  /\balter\s+column\s+\w+\s+(set|drop)\s+not\s+null\b/,
  /\badd\s+(constraint|check|unique|foreign|primary|exclude)\b/,
  /\b(delete\s+from|truncate)\b/,
];

/** A column that old code leaves out must be nullable or have a value of its own. */
const NEW_COLUMN = /\badd\s+column\s+(?:if\s+not\s+exists\s+)?[^,;]*\bnot\s+null\b[^,;]*/g;
const HAS_VALUE = /\bdefault\b|\bgenerated\b/;

/** A unique index on a table that the same migration creates binds no old code. */
const UNIQUE_INDEX = /\bcreate\s+unique\s+index\s+(?:if\s+not\s+exists\s+)?\w+\s+on\s+(\w+)/g;

/** The statements of a migration, in lower case, that are not simply additions. */
export function breaksOf(sql: string): string[] {
  const text = statementsOf(sql);
  const created = new Set(
    [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/g)].map(([, name]) => name),
  );
  const statements = text.split(';').map(statement => statement.trim().replace(/\s+/g, ' '));
  return statements.filter(statement => {
    const altered = /^alter table (?:if exists )?(?:only )?(\w+)/.exec(statement)?.[1];
    if (altered !== undefined && created.has(altered)) return false;
    if (BREAKING.some(pattern => pattern.test(statement))) return true;
    if ((statement.match(NEW_COLUMN) ?? []).some(column => !HAS_VALUE.test(column))) return true;
    return [...statement.matchAll(UNIQUE_INDEX)].some(([, table]) => !created.has(table));
  });
}

/** Without comments, bodies of functions and what is in quotes. */
function statementsOf(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .toLowerCase();
}

/** What a migration's author says about it: `-- additive: REASON` or `-- not additive: REASON`. */
export function remarkOf(sql: string): { readonly additive: boolean; readonly reason: string } | null {
  const [, not, reason] = /^-- (not )?additive: (\S.*)$/m.exec(sql) ?? [];
  return reason === undefined ? null : { additive: not === undefined, reason };
}

/** Whether the server of the version before works on the schema after this migration, too. */
export function isAdditive(sql: string): boolean {
  return remarkOf(sql)?.additive ?? breaksOf(sql).length === 0;
}
