import { fileCheck, lineCheck } from '../check-values.ts';
import type { OutputFault } from './faults.ts';
import { FILE_CHECK } from './formats.ts';
import {
  type Columns,
  END_TITLE,
  HEADER_LINES,
  HEADER_NAMES,
  HEADER_TITLE,
  LINE_END,
  LIST_NAMES,
  LISTS,
  type ListName,
  type OutputFile,
} from './sections.ts';

/** A year of a fleet's records would fit. */
const LARGEST = 64 * 1024 * 1024;
const NOT_PRINTABLE = /[^\x20-\x7e]/;
const MOST_FAULTS = 100;

export interface ReadLines {
  /** Null where the sections are not all there. */
  readonly file: OutputFile | null;
  readonly faults: readonly OutputFault[];
  /** On which line each row of a list stands. */
  readonly lineOf: (list: ListName, row: number) => number;
}

/** Sections, columns, formats and check values: what a line says by itself. */
export function readLines(text: string): ReadLines {
  const faults: OutputFault[] = [];
  const firstLines = new Map<ListName, number>();
  const lineOf = (list: ListName, row: number): number => (firstLines.get(list) ?? 0) + row;
  const answer = (file: OutputFile | null): ReadLines => ({ file, faults, lineOf });
  let section: string | null = null;
  const fault = (code: OutputFault['code'], line: number | null, params: OutputFault['params'] = {}): void => {
    if (faults.length < MOST_FAULTS) faults.push({ code, line, section, params });
  };

  if (text.length > LARGEST) {
    fault('too-large', null);
    return answer(null);
  }
  const lines = text.split(LINE_END);
  const isWhole = lines.at(-1) === '';
  if (isWhole) lines.pop();
  if (lines[0] !== HEADER_TITLE) {
    fault(text.startsWith(`${HEADER_TITLE}\n`) ? 'line-end' : 'not-an-output-file', 1);
    return answer(null);
  }

  const checks: string[] = [];
  const read = <C extends Columns>(columns: C, index: number): { readonly [Name in keyof C]: string } => {
    const line = lines[index] ?? '';
    const names = Object.keys(columns);
    const fields = line.split(',');
    const found = fields.pop() ?? '';
    const expected = lineCheck(line.slice(0, Math.max(0, line.length - found.length - 1)));
    const row = Object.fromEntries(names.map((name, i) => [name, fields[i] ?? '']));
    checks.push(expected);
    const before = faults.length;
    if (NOT_PRINTABLE.test(line)) fault(line.includes('\n') ? 'line-end' : 'character', index + 1);
    else if (fields.length !== names.length)
      fault('columns', index + 1, { expected: names.length, found: fields.length + 1 });
    else {
      for (const name of names) {
        const format = columns[name];
        if (format && !format.pattern.test(row[name] ?? ''))
          fault('field', index + 1, { column: name, says: format.says });
      }
    }
    if (faults.length === before && found !== expected) fault('line-check', index + 1, { found, expected });
    return row as { readonly [Name in keyof C]: string };
  };

  section = HEADER_TITLE;
  let next = 1;
  const header = Object.fromEntries(HEADER_NAMES.map(name => [name, read(HEADER_LINES[name], next++)]));
  const lists: Partial<Record<ListName, unknown[]>> = {};
  for (const [i, name] of LIST_NAMES.entries()) {
    const { title, columns } = LISTS[name];
    section = null;
    if (lines[next] !== title) {
      fault(next >= lines.length ? 'cut-off' : 'wrong-title', next + 1, { expected: title });
      return answer(null);
    }
    section = title;
    firstLines.set(name, ++next + 1);
    const following = LIST_NAMES[i + 1];
    const end = following ? LISTS[following].title : END_TITLE;
    const rows: unknown[] = [];
    // What is no line of data is a title, right or wrong: the next turn says which.
    for (; next < lines.length && lines[next] !== end && isData(lines[next] ?? ''); next++) {
      rows.push(read(columns, next));
    }
    lists[name] = rows;
  }
  section = null;
  if (lines[next] !== END_TITLE) {
    fault(next >= lines.length ? 'cut-off' : 'wrong-title', next + 1, { expected: END_TITLE });
    return answer(null);
  }
  section = END_TITLE;
  const found = lines[next + 1] ?? '';
  const expected = fileCheck(checks);
  if (!FILE_CHECK.pattern.test(found)) fault('field', next + 2, { column: 'file check value', says: FILE_CHECK.says });
  // A line that is wrong makes this wrong, too.
  else if (found !== expected && faults.length === 0) fault('file-check', next + 2, { found, expected });
  if (lines.length > next + 2) fault('too-much', next + 3);
  if (!isWhole) fault('cut-off', lines.length);
  return answer({ header, ...lists } as unknown as OutputFile);
}

const isData = (line: string): boolean => line.includes(',');
