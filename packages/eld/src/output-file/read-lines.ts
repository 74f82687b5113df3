import { fileCheck, lineCheck } from '../check-values.ts';
import type { OutputFault, OutputFaultCode } from './faults.ts';
import { FILE_CHECK, type Format } from './formats.ts';
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

/** Larger than a year of a whole fleet's records. */
const LARGEST = 64 * 1024 * 1024;
const NOT_PRINTABLE = /[^\x20-\x7e]/;
/** The first faults are enough to help the reader. */
const MOST_FAULTS = 100;

export interface ReadLines {
  /** Null if sections are missing. */
  readonly file: OutputFile | null;
  readonly faults: readonly OutputFault[];
  /** The line number of each row of a list. */
  readonly lineOf: (list: ListName, row: number) => number;
}

/** Checks sections, columns, formats and check values: what can be checked line by line. */
export function readLines(text: string): ReadLines {
  const reader = new LineReader(text);
  const firstLines = new Map<ListName, number>();
  const answer = (file: OutputFile | null): ReadLines => ({
    file,
    faults: reader.faults,
    lineOf: (list, row) => (firstLines.get(list) ?? 0) + row,
  });
  if (!reader.begins()) return answer(null);
  const header = Object.fromEntries(HEADER_NAMES.map(name => [name, reader.row(HEADER_LINES[name])]));
  const lists: Partial<Record<ListName, readonly unknown[]>> = {};
  for (const name of LIST_NAMES) {
    if (!reader.title(LISTS[name].title)) return answer(null);
    firstLines.set(name, reader.line);
    lists[name] = reader.rows(LISTS[name].columns);
  }
  if (!reader.title(END_TITLE)) return answer(null);
  reader.ends();
  // Complete: the loop above has read every list in the table that the type is made from.
  return answer({ header, ...lists } as unknown as OutputFile);
}

class LineReader {
  readonly faults: OutputFault[] = [];
  readonly #text: string;
  readonly #lines: readonly string[];
  readonly #isWhole: boolean;
  readonly #checks: string[] = [];
  #next = 0;
  #section: string | null = null;

  constructor(text: string) {
    this.#text = text;
    const lines = text.length > LARGEST ? [] : text.split(LINE_END);
    this.#isWhole = lines.at(-1) === '';
    this.#lines = this.#isWhole ? lines.slice(0, -1) : lines;
  }

  /** Number of the next line. */
  get line(): number {
    return this.#next + 1;
  }

  #fault(code: OutputFaultCode, line: number | null, params: OutputFault['params'] = {}): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push({ code, line, section: this.#section, params });
  }

  begins(): boolean {
    if (this.#text.length > LARGEST) this.#fault('too-large', null);
    else if (this.#lines[0] === HEADER_TITLE) return this.title(HEADER_TITLE);
    else this.#fault(this.#text.startsWith(`${HEADER_TITLE}\n`) ? 'line-end' : 'not-an-output-file', 1);
    return false;
  }

  title(expected: string): boolean {
    this.#section = null;
    if (this.#lines[this.#next] !== expected) {
      this.#fault(this.#next >= this.#lines.length ? 'cut-off' : 'wrong-title', this.line, { expected });
      return false;
    }
    this.#section = expected;
    this.#next++;
    return true;
  }

  /**
   * Lines of data up to the next title. A line without a comma counts as a title, right or wrong; the caller reports a
   * wrong one.
   */
  rows(columns: Columns): readonly unknown[] {
    const rows: unknown[] = [];
    while (this.#lines[this.#next]?.includes(',')) rows.push(this.row(columns));
    return rows;
  }

  row(columns: Columns): Readonly<Record<string, string>> {
    const at = this.line;
    const line = this.#lines[this.#next++] ?? '';
    const names = Object.keys(columns);
    const fields = line.split(',');
    const found = fields.pop() ?? '';
    const expected = lineCheck(fields.join(','));
    this.#checks.push(expected);
    const row = Object.fromEntries(names.map((name, i) => [name, fields[i] ?? '']));
    const before = this.faults.length;
    if (NOT_PRINTABLE.test(line)) this.#fault(line.includes('\n') ? 'line-end' : 'character', at);
    else if (fields.length === names.length) this.#fields(Object.entries(columns), row, at);
    else this.#fault('columns', at, { expected: names.length, found: fields.length + 1 });
    if (this.faults.length === before && found !== expected) this.#fault('line-check', at, { found, expected });
    return row;
  }

  #fields(columns: readonly [string, Format][], row: Readonly<Record<string, string>>, at: number): void {
    for (const [column, { pattern, says }] of columns) {
      if (!pattern.test(row[column] ?? '')) this.#fault('field', at, { column, says });
    }
  }

  ends(): void {
    const at = this.line;
    const found = this.#lines[this.#next] ?? '';
    const expected = fileCheck(this.#checks);
    if (!FILE_CHECK.pattern.test(found))
      this.#fault('field', at, { column: 'file check value', says: FILE_CHECK.says });
    // After a wrong line the file check value is wrong, too, and not reported.
    else if (found !== expected && this.faults.length === 0) this.#fault('file-check', at, { found, expected });
    if (this.#lines.length > at) this.#fault('too-much', at + 1);
    if (!this.#isWhole) this.#fault('cut-off', this.#lines.length);
  }
}
