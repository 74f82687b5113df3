import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { parse as parseAll } from 'csv-parse/sync';
import type { TraccarData } from './convert.ts';
import type { Foreign } from './position-row.ts';

const CSV = { bom: true, columns: true, skip_empty_lines: true, relax_column_count: true } as const;

/**
 * A folder with what was taken out of Traccar: the answers of its API (`devices.json`, `groups.json`, `drivers.json`,
 * `geofences.json`, `positions*.json`) or its tables as CSV with a line of names (`tc_devices.csv`, …).
 */
export function readTraccarFolder(folder: string): TraccarData {
  const all = (name: string): Foreign[] => {
    const [json, csv] = [join(folder, `${name}.json`), join(folder, `tc_${name}.csv`)];
    if (existsSync(json)) return listIn(json);
    if (existsSync(csv)) return (parseAll(readFileSync(csv), CSV) as object[]).map(withPlainNames);
    return [];
  };
  return {
    groups: all('groups'),
    drivers: all('drivers'),
    devices: all('devices'),
    geofences: all('geofences'),
    positions: positionsIn(folder),
  };
}

/** A JSON file in memory at a time, its positions in the order of their times; a CSV row by row, as it comes. */
async function* positionsIn(folder: string): AsyncGenerator<Foreign> {
  for (const name of readdirSync(folder).toSorted()) {
    if (/^positions.*\.json$/.test(name)) {
      yield* listIn(join(folder, name)).toSorted(
        (a, b) => Date.parse(String(a.fixtime)) - Date.parse(String(b.fixtime)),
      );
    } else if (/^tc_positions.*\.csv$/.test(name)) {
      for await (const row of createReadStream(join(folder, name)).pipe(parse(CSV)))
        yield withPlainNames(row as object);
    }
  }
}

function listIn(path: string): Foreign[] {
  const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(read)) throw new Error(`${path} is not a list, as the API answers it.`);
  return read.filter(each => typeof each === 'object' && each !== null).map(withPlainNames);
}

/** The API writes `deviceId`, the tables `deviceid`. */
const withPlainNames = (row: object): Foreign =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
