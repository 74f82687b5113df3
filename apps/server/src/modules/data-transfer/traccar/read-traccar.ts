import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAll } from 'csv-parse/sync';
import type { TraccarData } from './convert.ts';
import type { Foreign } from './position-row.ts';
import { elementsInOrder } from './read-json-list.ts';

const CSV = { bom: true, columns: true, skip_empty_lines: true, relax_column_count: true } as const;

/** A file and what it was called where it came from. */
export interface NamedFile {
  readonly path: string;
  readonly name: string;
}

const TABLE = /^(?:tc_)?(devices|groups|drivers|geofences)\.(json|csv)$/;
const POSITIONS = /^(?:tc_)?positions.*\.(json|csv)$/;

/** Whether it is one of the files that are read. */
export const isOfTraccar = ({ name }: NamedFile): boolean => TABLE.test(name) || POSITIONS.test(name);

export const filesIn = (folder: string): NamedFile[] =>
  readdirSync(folder).map(name => ({ name, path: join(folder, name) }));

interface Following {
  /** Called with each file of positions, and the bytes that were read of it. */
  readonly read?: (file: NamedFile, bytes: number) => void;
  /** Called with the name of a file that is not what its name says. */
  readonly unreadable: (name: string) => void;
}

/**
 * What was taken out of Traccar: the answers of its API (`devices.json`, `groups.json`, `drivers.json`,
 * `geofences.json`, `positions*.json`) or its tables as CSV with a line of names (`tc_devices.csv`, …).
 */
export function readTraccar(files: readonly NamedFile[], following: Following): TraccarData {
  const all = (table: string): Foreign[] =>
    files.filter(({ name }) => TABLE.exec(name)?.[1] === table).flatMap(file => tableIn(file, following));
  return {
    groups: all('groups'),
    drivers: all('drivers'),
    devices: all('devices'),
    geofences: all('geofences'),
    positions: positionsIn(files, following),
  };
}

/** Row by row: those of a JSON file in the order of their times, those of a CSV as they come. */
async function* positionsIn(files: readonly NamedFile[], following: Following): AsyncGenerator<Foreign> {
  for (const file of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const [, format] = POSITIONS.exec(file.name) ?? [];
    if (format === 'json') {
      try {
        for await (const { readBytes, value } of elementsInOrder(file.path, each => Date.parse(fixTimeOf(each)))) {
          if (typeof value === 'object' && value !== null) yield withPlainNames(value);
          following.read?.(file, readBytes);
        }
      } catch (error) {
        if (!isNotJson(error)) throw error;
        following.unreadable(file.name);
      }
    } else if (format === 'csv') {
      const stream = createReadStream(file.path);
      try {
        for await (const row of stream.pipe(parse(CSV))) {
          yield withPlainNames(row as object);
          following.read?.(file, stream.bytesRead);
        }
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        following.unreadable(file.name);
      } finally {
        stream.destroy();
      }
    }
  }
}

/** What a file has; nothing, and said so, if it is not what its name says. */
function tableIn({ name, path }: NamedFile, { unreadable }: Following): Foreign[] {
  try {
    const text = readFileSync(path, 'utf8');
    const rows: unknown = name.endsWith('.json') ? JSON.parse(text) : parseAll(text, CSV);
    if (!Array.isArray(rows)) throw new TypeError('The API answers with a list');
    return rows.filter(each => typeof each === 'object' && each !== null).map(withPlainNames);
  } catch {
    unreadable(name);
    return [];
  }
}

const fixTimeOf = (value: unknown): string =>
  String(typeof value === 'object' && value !== null ? withPlainNames(value).fixtime : '');

const isNotJson = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;

/** The API writes `deviceId`, the tables `deviceid`. */
const withPlainNames = (row: object): Foreign =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
