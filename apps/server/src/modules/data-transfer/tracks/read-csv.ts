import { createReadStream } from 'node:fs';
import { CSV_TRACK_COLUMNS, type CsvTrackColumn, type TrackOptions } from '@milepost/contract';
import {
  fromFahrenheit,
  fromKilometres,
  fromKilometresPerHour,
  fromKnots,
  fromMiles,
  fromMilesPerHour,
} from '@milepost/units';
import { CsvError, parse } from 'csv-parse';
import { Times } from './times.ts';
import { numberOf, placeOf, type ReadOptions, type TrackFile, type TrackRow, vehicleOfFile } from './track-row.ts';

/** Usual names of columns in English, Spanish and French, without case, accents, spaces and units. */
const NAMES: Readonly<Record<CsvTrackColumn, readonly string[]>> = {
  vehicle: [
    'vehicle',
    'vehiclename',
    'device',
    'devicename',
    'deviceid',
    'unit',
    'unitname',
    'asset',
    'imei',
    'uniqueid',
    'plate',
    'vin',
    'truck',
    'name',
    'vehiculo',
    'unidad',
    'placa',
    'vehicule',
    'vehicle_name',
  ],
  time: [
    'time',
    'timestamp',
    'datetime',
    'fixtime',
    'devicetime',
    'gpstime',
    'utc',
    'fecha y hora',
    'fechahora',
    'hora',
    'heure',
    'horodatage',
    'dateheure',
    'locatedat',
  ],
  date: ['date', 'day', 'gpsdate', 'fecha', 'dia', 'jour'],
  lat: ['lat', 'latitude', 'latitud', 'y'],
  lon: ['lon', 'lng', 'long', 'longitude', 'longitud', 'x'],
  speed: ['speed', 'velocity', 'velocidad', 'vitesse', 'gpsspeed'],
  course: ['course', 'heading', 'bearing', 'direction', 'angle', 'azimuth', 'cog', 'rumbo', 'curso', 'cap'],
  altitude: ['altitude', 'alt', 'ele', 'elevation', 'height', 'altitud', 'elevacion'],
  odometer: ['odometer', 'mileage', 'totaldistance', 'odometro', 'odometre', 'kilometrage'],
  fuel: ['fuel', 'fuellevel', 'combustible', 'carburant'],
  temperature: ['temperature', 'temp', 'temp1', 'temperatura'],
  ignition: ['ignition', 'ign', 'acc', 'engine', 'encendido', 'contact', 'ignicion'],
  satellites: ['satellites', 'sat', 'sats', 'satelites', 'nsat'],
  hdop: ['hdop'],
  card: ['card', 'rfid', 'drivercard', 'driveruniqueid', 'ibutton', 'tarjeta', 'badge'],
};

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[([].*$/, '')
    .replace(/[^a-z0-9]/g, '');

/** What the columns of a file are by their names; each column is one thing, and each thing is in one column. */
export function guessColumns(columns: readonly string[]): Partial<Record<CsvTrackColumn, string>> {
  const guessed: Partial<Record<CsvTrackColumn, string>> = {};
  for (const column of CSV_TRACK_COLUMNS) {
    const names = NAMES[column].map(plain);
    const found = columns
      .map(name => ({ name, place: names.indexOf(plain(name)) }))
      .filter(({ place }) => place >= 0)
      .sort((a, b) => a.place - b.place)[0];
    if (found) guessed[column] = found.name;
  }
  // The day and the time of day in one column, called a date.
  if (guessed.time === undefined && guessed.date !== undefined) {
    guessed.time = guessed.date;
    delete guessed.date;
  }
  return guessed;
}

/** Where decimals have commas, spreadsheets separate columns with semicolons. */
export const delimiterOf = (head: string): string => [';', '\t'].find(one => head.includes(one)) ?? ',';

export const CSV_OPTIONS = {
  bom: true,
  skip_empty_lines: true,
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: 1024 * 1024,
} as const;

/** Parsed at once: larger pieces would keep the thread from receiving positions for longer. */
const PIECE_BYTES = 64 * 1024;

interface Line {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The rows of a CSV file, one by one; memory doesn't grow with the file. */
export async function* readCsv(
  file: TrackFile,
  delimiter: string,
  { options, read }: ReadOptions,
): AsyncGenerator<TrackRow> {
  const stream = createReadStream(file.path, { highWaterMark: PIECE_BYTES });
  const lines = stream.pipe(parse({ ...CSV_OPTIONS, delimiter, info: true }));
  stream.on('error', error => lines.destroy(error));
  let row: RowReader | null = null;
  try {
    for await (const { record, info } of lines as AsyncIterable<Line>) {
      if (row === null) row = new RowReader(record, file, options);
      else yield row.read(record, info.lines);
      read?.(stream.bytesRead);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines: line = 1 } = error as { readonly lines?: number };
    yield { line, vehicle: vehicleOfFile(file.name), problem: 'unreadable', value: '' };
  } finally {
    stream.destroy();
  }
}

class RowReader {
  readonly #at: Partial<Record<CsvTrackColumn, number>> = {};
  readonly #rest: readonly (readonly [place: number, name: string])[];
  readonly #file: string;
  readonly #options: TrackOptions;
  readonly #times: Times;
  readonly #before = new Map<string, number>();

  constructor(head: readonly string[], file: TrackFile, options: TrackOptions) {
    const names = { ...guessColumns(head), ...options.columns };
    for (const column of CSV_TRACK_COLUMNS) {
      const place = head.indexOf(names[column] ?? '');
      if (names[column] && place >= 0) this.#at[column] = place;
    }
    const taken = new Set(Object.values(this.#at));
    this.#rest = head.flatMap((name, place) =>
      taken.has(place) || name.trim() === '' ? [] : [[place, name.trim().slice(0, 128)] as const],
    );
    this.#file = vehicleOfFile(file.name);
    this.#options = options;
    this.#times = new Times(options);
  }

  read(cells: readonly string[], line: number): TrackRow {
    const cell = (column: CsvTrackColumn): string => {
      const place = this.#at[column];
      return place === undefined ? '' : (cells[place] ?? '').trim();
    };
    const vehicle = this.#at.vehicle === undefined ? this.#file : cell('vehicle');
    const wrong = (problem: NonNullable<TrackRow['problem']>, value: string): TrackRow => ({
      line,
      vehicle,
      problem,
      value: value.slice(0, 80),
    });
    const written = [cell('date'), cell('time')].filter(text => text !== '').join(' ');
    if (written === '') return wrong('no-time', '');
    const time = this.#times.read(written, this.#before.get(vehicle) ?? Number.NEGATIVE_INFINITY);
    if (time === null) return wrong('bad-time', written);
    this.#before.set(vehicle, time);
    const place = placeOf(cell('lat'), cell('lon'));
    if (typeof place === 'string') return wrong(place, `${cell('lat')} ${cell('lon')}`.trim());
    const numbers: Partial<Record<CsvTrackColumn, number | null>> = {};
    for (const column of MEASURED) {
      const text = cell(column);
      numbers[column] = text === '' ? null : numberOf(text);
      if (text !== '' && numbers[column] === null)
        return wrong('bad-number', `${this.#options.columns[column] ?? column}: ${text}`);
    }
    const { course = null, fuel = null, hdop = null, satellites = null } = numbers;
    const { altitudeUnit, distanceUnit, speedUnit, temperatureUnit } = this.#options;
    const converted = (value: number | null | undefined, convert: (value: number) => number): number | null =>
      value == null ? null : convert(value);
    const ignition = cell('ignition');
    const fix = {
      time,
      ...place,
      ...{ course, fuel, hdop, satellites },
      speed: converted(numbers.speed, TO_SPEED[speedUnit]),
      altitude: converted(numbers.altitude, value => (altitudeUnit === 'ft' ? value * 0.3048 : value)),
      odometer: converted(numbers.odometer, TO_DISTANCE[distanceUnit]),
      temperature: converted(numbers.temperature, value => (temperatureUnit === 'f' ? fromFahrenheit(value) : value)),
      ignition: ignition === '' ? null : isOn(ignition),
      rfid: cell('card') || null,
      attributes: this.#attributesOf(cells),
    };
    return { line, vehicle, fix };
  }

  #attributesOf(cells: readonly string[]): Record<string, string | number> {
    const kept: Record<string, string | number> = {};
    for (const [place, name] of this.#rest) {
      const text = (cells[place] ?? '').trim();
      if (text !== '') kept[name] = numberOf(text) ?? text.slice(0, 2000);
    }
    return kept;
  }
}

const MEASURED = ['speed', 'course', 'altitude', 'odometer', 'fuel', 'temperature', 'satellites', 'hdop'] as const;

const TO_SPEED = {
  'km/h': fromKilometresPerHour,
  mph: fromMilesPerHour,
  kn: fromKnots,
  'm/s': (value: number) => value,
} as const;
const TO_DISTANCE = { km: fromKilometres, mi: fromMiles, m: (value: number) => value } as const;

/** Null for a word that says neither. */
function isOn(text: string): boolean | null {
  if (/^(1|on|true|yes|y|si|sí|oui|encendido|t)$/i.test(text)) return true;
  return /^(0|off|false|no|n|non|apagado|f)$/i.test(text) ? false : null;
}
