import { hashOf } from '../chain/sha256.ts';
import { fileCheck, lineCheck } from '../check-values.ts';
import {
  type Columns,
  END_TITLE,
  HEADER_LINES,
  HEADER_NAMES,
  HEADER_TITLE,
  LINE_END,
  LIST_NAMES,
  LISTS,
  type OutputFile,
} from './sections.ts';

/** A line of the file: a title, or the fields of a data line. */
export type FileLine = { readonly title: string } | { readonly fields: readonly string[] };

export function linesOf(file: OutputFile): FileLine[] {
  const fieldsOf = (columns: Columns, row: Readonly<Record<string, string>>): FileLine => ({
    fields: Object.keys(columns).map(name => row[name] ?? ''),
  });
  return [
    { title: HEADER_TITLE },
    ...HEADER_NAMES.map(name => fieldsOf(HEADER_LINES[name], file.header[name])),
    ...LIST_NAMES.flatMap(name => [
      { title: LISTS[name].title },
      ...file[name].map(row => fieldsOf(LISTS[name].columns, row)),
    ]),
    { title: END_TITLE },
  ];
}

/** The text of an output file with its line and file check values. Does not validate the fields. */
export function writeLines(file: OutputFile): string {
  const checks: string[] = [];
  const lines = linesOf(file).map(line => {
    if ('title' in line) return line.title;
    const text = line.fields.join(',');
    const check = lineCheck(text);
    checks.push(check);
    return `${text},${check}`;
  });
  return [...lines, fileCheck(checks), ''].join(LINE_END);
}

/**
 * SHA-256 over all titles and fields except the authentication value, which holds it in our own files. It covers what
 * no check value counts: a space, a character next to a comma, a zero.
 */
export function digestOf(file: OutputFile): string {
  const { header } = file;
  const open = { ...file, header: { ...header, device: { ...header.device, authentication: '' } } };
  return hashOf(
    linesOf(open)
      .map(line => ('title' in line ? line.title : line.fields.join(',')))
      .join(LINE_END),
  );
}
