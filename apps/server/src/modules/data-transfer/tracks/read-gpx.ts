import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { Times } from './times.ts';
import {
  NO_MEASUREMENTS,
  numberOf,
  placeOf,
  type ReadOptions,
  type TrackFile,
  type TrackRow,
  vehicleOfFile,
} from './track-row.ts';

/** GPX writes UTC (topografix.com/GPX/1/1, `time`), also where the Z is missing. */
const UTC = { timeZone: 'UTC', dateOrder: 'dmy' } as const;
/** Elements of a point that are read, by their names without a prefix. `speed` and `course` are Garmin's extension or GPX 1.0. */
const READ = new Set(['time', 'ele', 'speed', 'course', 'sat', 'hdop']);
const MOST_TEXT = 2000;

interface Point {
  readonly line: number;
  readonly lat: string;
  readonly lon: string;
  readonly texts: Record<string, string>;
}

/**
 * The points of the tracks and routes of a GPX file (1.0 and 1.1), with the name of their track as the vehicle; one by one, so that memory
 * doesn't grow with the file. A file that is broken in the middle yields what stands before, and then its problem.
 */
export async function* readGpx(file: TrackFile, { read }: ReadOptions): AsyncGenerator<TrackRow> {
  const rows: TrackRow[] = [];
  const parser = new GpxParser(vehicleOfFile(file.name), row => rows.push(row));
  const decoder = new StringDecoder('utf8');
  const stream = createReadStream(file.path, { highWaterMark: 64 * 1024 });
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    parser.write(decoder.write(chunk as Buffer));
    yield* rows.splice(0);
    read?.(bytes);
    if (parser.isBroken) return;
  }
  parser.end();
  yield* rows;
}

class GpxParser {
  readonly #xml = new SaxesParser({ xmlns: false, position: true });
  readonly #times = new Times(UTC);
  readonly #otherwise: string;
  readonly #take: (row: TrackRow) => void;
  #path: string[] = [];
  #vehicle: string;
  #point: Point | null = null;
  #text = '';
  #beforeMs = Number.NEGATIVE_INFINITY;
  isBroken = false;

  constructor(otherwise: string, take: (row: TrackRow) => void) {
    this.#otherwise = otherwise;
    this.#vehicle = otherwise;
    this.#take = take;
    this.#xml.on('error', error => this.#break(error.message.replace(/^\d+:\d+: /, '')));
    this.#xml.on('opentag', tag => this.#open(tag as SaxesTagPlain));
    this.#xml.on('closetag', ({ name }) => this.#close(plain(name)));
    this.#xml.on('text', text => {
      if (this.#text.length < MOST_TEXT) this.#text += text;
    });
    this.#xml.on('cdata', text => {
      if (this.#text.length < MOST_TEXT) this.#text += text;
    });
  }

  write(text: string): void {
    if (!this.isBroken) this.#xml.write(text);
  }

  end(): void {
    if (!this.isBroken) this.#xml.close();
  }

  #break(value: string): void {
    if (this.isBroken) return;
    this.isBroken = true;
    this.#take({ line: this.#xml.line, vehicle: this.#vehicle, problem: 'unreadable', value: value.slice(0, 80) });
  }

  #open({ name, attributes }: SaxesTagPlain): void {
    if (this.isBroken) return;
    const tag = plain(name);
    if (this.#path.length === 0 && tag !== 'gpx') {
      this.#break(`<${name.slice(0, 60)}>`);
      return;
    }
    this.#path.push(tag);
    this.#text = '';
    if (tag === 'trk' || tag === 'rte') this.#vehicle = this.#otherwise;
    if (tag === 'trkpt' || tag === 'rtept')
      this.#point = { line: this.#xml.line, lat: attributes.lat ?? '', lon: attributes.lon ?? '', texts: {} };
  }

  #close(tag: string): void {
    if (this.isBroken) return;
    this.#path.pop();
    const text = this.#text.trim();
    this.#text = '';
    if (tag === 'trkpt' || tag === 'rtept') {
      if (this.#point) this.#take(this.#rowOf(this.#point));
      this.#point = null;
    } else if (this.#point !== null) {
      if (READ.has(tag)) this.#point.texts[tag] ??= text;
    } else if (tag === 'name' && ['trk', 'rte'].includes(this.#path.at(-1) ?? '') && text !== '') {
      this.#vehicle = text.slice(0, 200);
    }
  }

  #rowOf({ lat, line, lon, texts }: Point): TrackRow {
    const vehicle = this.#vehicle;
    const written = texts.time ?? '';
    if (written === '') return { line, vehicle, problem: 'no-time', value: '' };
    const time = this.#times.read(written, this.#beforeMs);
    if (time === null) return { line, vehicle, problem: 'bad-time', value: written.slice(0, 80) };
    this.#beforeMs = time;
    const place = placeOf(lat, lon);
    if (typeof place === 'string') return { line, vehicle, problem: place, value: `${lat} ${lon}`.trim().slice(0, 80) };
    const number = (name: string): number | null => numberOf(texts[name] ?? '');
    const measured = {
      ...{ altitude: number('ele'), speed: number('speed'), course: number('course') },
      ...{ satellites: number('sat'), hdop: number('hdop') },
    };
    return { line, vehicle, fix: { ...NO_MEASUREMENTS, time, ...place, ...measured, attributes: {} } };
  }
}

const plain = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();
