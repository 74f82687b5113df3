import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { type FIELD_PROBLEMS, type FieldProblemCode, fieldError, type ParamsArgument } from '@milepost/contract';
import { z } from 'zod';
import { AppError } from '../../app-error.ts';
import { ROWS } from './rows.ts';
import { Seals } from './seals.ts';
import { FORMAT, FORMAT_VERSION, TABLES, type TableName, UNSEALED_VERSION } from './tables.ts';

/** The largest document, as base64, with what is said about it. */
const MAX_LINE = 16 * 1024 * 1024;

const headerSchema = z.object({ format: z.literal(FORMAT), version: z.literal([UNSEALED_VERSION, FORMAT_VERSION]) });
const lineSchema = z.union([
  z.object({ table: z.enum(Object.keys(TABLES) as [TableName, ...TableName[]]), row: z.unknown() }),
  z.object({ seal: z.string() }),
  z.object({
    end: z.partialRecord(z.enum(Object.keys(TABLES) as [TableName, ...TableName[]]), z.int()),
    sha256: z.object({ tables: z.record(z.string(), z.string()), whole: z.string() }).optional(),
  }),
]);

export interface Line {
  /** Counted from 1; the header is the first. */
  readonly number: number;
  readonly table: TableName;
  readonly row: unknown;
}

export function broken<C extends FieldProblemCode>(
  line: number,
  code: C,
  ...params: ParamsArgument<(typeof FIELD_PROBLEMS)[C]>
): AppError {
  return new AppError('import-broken', { line }, { errors: [fieldError('', code, ...(params as never))] });
}

/**
 * The rows of an export, one by one. Fails where the file is no export, was changed since it was written, or ends before
 * its end. `read` is called with how many bytes have been read.
 */
export async function* readLines(path: string, read: (bytes: number) => void = () => {}): AsyncGenerator<Line> {
  const counts: Partial<Record<TableName, number>> = {};
  const seals = new Seals();
  let isSealed = false;
  /** The first line after the last seal. */
  let since = 1;
  let number = 0;
  let isEnded = false;
  for await (const text of linesOf(path, read)) {
    number++;
    if (isEnded) throw broken(number, 'export-continues');
    const value = parse(text, number);
    if (number === 1) {
      const header = headerSchema.safeParse(value);
      if (!header.success) throw broken(1, 'export-not-one');
      isSealed = header.data.version === FORMAT_VERSION;
      seals.line(text);
      continue;
    }
    const line = lineSchema.safeParse(value);
    if (!line.success) throw broken(number, 'export-unknown-line');
    if ('seal' in line.data) {
      if (isSealed && line.data.seal !== seals.soFar()) throw broken(since, 'export-changed', { line: number });
      since = number + 1;
      seals.line(text);
      continue;
    }
    if ('end' in line.data) {
      const { end, sha256 } = line.data;
      const differs = Object.keys(TABLES).find(
        table => (end[table as TableName] ?? 0) !== (counts[table as TableName] ?? 0),
      );
      if (differs) throw broken(number, 'export-lines-missing', { table: differs });
      if (isSealed && sha256?.whole !== seals.soFar()) throw broken(since, 'export-changed', { line: number });
      isEnded = true;
      continue;
    }
    const { table, row } = line.data;
    counts[table] = (counts[table] ?? 0) + 1;
    seals.row(table, text);
    yield { number, table, row };
  }
  if (!isEnded) throw broken(number + 1, 'export-cut-off');
}

function parse(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(number, 'export-not-json');
  }
}

/** A line at a time, none of which may be longer than any that we write; others get a turn after each piece. */
async function* linesOf(path: string, read: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let number = 1;
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 })) {
    bytes += (chunk as Buffer).length;
    read(bytes);
    const pieces = (rest + decoder.write(chunk as Buffer)).split('\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      yield piece;
      number++;
    }
    if (rest.length > MAX_LINE) throw broken(number, 'export-line-too-long');
  }
  if (rest.trim() !== '') yield rest;
}

/** Whether an import reads the rows of this table; the others stay where they were made. */
export const isImported = (table: TableName): table is keyof typeof ROWS => Object.hasOwn(ROWS, table);
