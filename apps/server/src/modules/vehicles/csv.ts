import { Readable } from 'node:stream';
import { fieldError, fieldErrorOf, IMPORT_COLUMNS, newVehicleSchema } from '@milepost/contract';
import { CsvError, parse } from 'csv-parse';
import { mapInTurns, turn } from '../../workers/turns.ts';
import type { NewVehicleFields } from './fields.ts';
import { type RowError, rowError } from './row-error.ts';

export interface ReadVehicle {
  /** Row of the file, counted from 1; the header is row 1. */
  readonly row: number;
  readonly fields: NewVehicleFields;
  /** The folder's name, or its path with ` / ` between the names. */
  readonly folder: string | null;
}

export interface ReadFile {
  /** The number of rows that are not empty, without the header. */
  readonly rows: number;
  readonly vehicles: readonly ReadVehicle[];
  readonly errors: readonly RowError[];
}

const COLUMNS = IMPORT_COLUMNS;
type Column = (typeof COLUMNS)[number];
const NEEDED: readonly Column[] = ['imei', 'deviceName'];
const MAX_RECORD_CHARACTERS = 10_000;
/** Characters parsed at a time. */
const PIECE_CHARACTERS = 32 * 1024;

/**
 * Reads a CSV file of vehicles: columns identified by header in any order, cells separated by `,` `;` or tab. Errors
 * in the file are reported by row and column; errors found by the database come later. Runs in turns.
 */
export async function readVehiclesCsv(text: string): Promise<ReadFile> {
  const parsed = await readRecords(text);
  if ('error' in parsed) return { rows: 0, vehicles: [], errors: [parsed.error] };
  const [header = [], ...records] = parsed.records;
  const { columns, errors } = readHeader(header);
  if (errors.length > 0) return { rows: records.length, vehicles: [], errors };

  const vehicles: ReadVehicle[] = [];
  let rows = 0;
  const read = (record: readonly string[]) => {
    if (record.every(cell => cell.trim() === '')) return null;
    const { folder, ...cells } = toObject(columns, record);
    return { record, folder, result: newVehicleSchema.safeParse(toFields(cells)) };
  };
  for (const [index, each] of (await mapInTurns(records, read)).entries()) {
    if (!each) continue;
    rows++;
    const row = index + 2;
    const { record, folder, result } = each;
    if (record.slice(columns.length).some(cell => cell.trim() !== '')) {
      errors.push(rowError(row, null, fieldError('', 'csv-too-many-cells')));
    } else if (result.success) {
      vehicles.push({ row, fields: result.data, folder: folder?.trim() || null });
    } else {
      for (const issue of result.error.issues) {
        errors.push(rowError(row, String(issue.path[0] ?? '') || null, fieldErrorOf(issue)));
      }
    }
  }
  if (rows === 0) errors.push(rowError(1, null, fieldError('', 'csv-empty')));
  return { rows, vehicles, errors: [...errors, ...repetitions(vehicles)] };
}

async function readRecords(text: string): Promise<{ records: string[][] } | { error: RowError }> {
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    // Rows may be short; extra cells are an error with their row and column.
    relax_column_count: true,
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  try {
    return { records: await Readable.from(piecesInTurns(text)).compose(parser).toArray() };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = typeof error.lines === 'number' ? error.lines : 1;
    return { error: rowError(row, null, fieldError('', CSV_PROBLEMS[error.code] ?? 'csv-unreadable')) };
  }
}

async function* piecesInTurns(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
    if (at > 0) await turn();
    yield text.slice(at, at + PIECE_CHARACTERS);
  }
}

const CSV_PROBLEMS: Partial<
  Record<CsvError['code'], 'csv-quote-open' | 'csv-row-too-long' | 'csv-quote-in-cell' | 'csv-text-after-quote'>
> = {
  CSV_QUOTE_NOT_CLOSED: 'csv-quote-open',
  CSV_MAX_RECORD_SIZE: 'csv-row-too-long',
  INVALID_OPENING_QUOTE: 'csv-quote-in-cell',
  CSV_INVALID_CLOSING_QUOTE: 'csv-text-after-quote',
};

/** The separator used most in the header. */
function delimiterOf(text: string): string {
  const header = text.slice(0, MAX_RECORD_CHARACTERS).split(/[\r\n]/, 1)[0] ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** `Device name`, `device_name` and `deviceName` are the same column. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

function readHeader(header: readonly string[]): { columns: Column[]; errors: RowError[] } {
  const errors: RowError[] = [];
  const columns: Column[] = [];
  for (const cell of header) {
    const column = COLUMNS.find(name => plain(name) === plain(cell));
    const shown = cell.trim().slice(0, 60);
    if (!column) {
      const problem = fieldError('', 'csv-unknown-column', { name: shown, columns: COLUMNS.join(', ') });
      errors.push(rowError(1, shown || null, problem));
    } else if (columns.includes(column)) {
      errors.push(rowError(1, column, fieldError('', 'csv-column-twice')));
    } else {
      columns.push(column);
    }
  }
  for (const column of NEEDED) {
    if (!columns.includes(column))
      errors.push(rowError(1, column, fieldError('', 'csv-column-missing', { name: column })));
  }
  return { columns, errors };
}

function toObject(columns: readonly Column[], record: readonly string[]): Partial<Record<Column, string>> {
  return Object.fromEntries(columns.map((column, i) => [column, withoutGuard(record[i] ?? '')]));
}

/** Removes the apostrophe that our own export puts before cells that a spreadsheet could run. */
const withoutGuard = (cell: string): string =>
  /^'[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell) ? cell.slice(1) : cell;

/** Types and fuels are matched without case. Without an odometer offset, nothing is added. */
function toFields({ tags, odometerOffsetKm, ...cells }: Partial<Record<Column, string>>): Record<string, unknown> {
  const read = ([column, cell]: [string, string]) => [column, LISTED.has(column) ? cell.toLowerCase() : cell];
  return {
    ...Object.fromEntries(Object.entries(cells).map(([column, cell]) => read([column, cell.trim()]))),
    ...(odometerOffsetKm?.trim() && { odometerOffsetKm }),
    ...(tags !== undefined && { tags: tags.split(';').flatMap(tag => tag.trim() || []) }),
  };
}
const LISTED: ReadonlySet<string> = new Set(['type', 'fuelType']);

/** Finds an IMEI, tracker ID or name used twice in one file; reported at the later row. */
function repetitions(vehicles: readonly ReadVehicle[]): RowError[] {
  const imeis = new Map<string, number>();
  const trackerIds = new Map<string, number>();
  const names = new Map<string, number>();
  const errors: RowError[] = [];
  const check = (seen: Map<string, number>, key: string, row: number, column: Column) => {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, row);
    else errors.push(rowError(row, column, fieldError('', 'csv-repeated', { row: first })));
  };
  for (const { row, fields } of vehicles) {
    check(imeis, fields.imei, row, 'imei');
    if (fields.trackerId) check(trackerIds, fields.trackerId, row, 'trackerId');
    check(names, fields.deviceName.toLowerCase(), row, 'deviceName');
  }
  return errors;
}
