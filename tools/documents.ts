/** The pure part of the documents check: which paths and links of a Markdown text point into the repository. */

export interface Reference {
  readonly line: number;
  /** Path from the repository's root. */
  readonly path: string;
}

const LINK = /\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)]*)?\)/g;
/** A path in code marks counts if it starts in one of our folders: `apps/server/src/app.ts`, `docs/adr/`. */
const CODE_PATH = /`((?:apps|packages|tools|bench|e2e|docs|data|samples)\/[\w@./-]*[\w/-])`/g;

const normalise = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
};

/** The references of one document. Links are relative to the document; paths in code marks to the root. */
export function referencesOf(document: string, text: string): Reference[] {
  const folder = document.split('/').slice(0, -1).join('/');
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...[...line.matchAll(LINK)].map(match => ({ line: index + 1, path: normalise(`${folder}/${match[1]}`) })),
      ...[...line.matchAll(CODE_PATH)].map(match => ({ line: index + 1, path: normalise(match[1] ?? '') })),
    ]);
}
