import type { Past, PastColumns, RuleFix } from '@milepost/geo';
import type { OpenTrack, TrackPosition } from '@milepost/track';
import { celsius, degrees, epochMs, metresPerSecond, percent, volts } from '@milepost/units';
import { accuracyOf } from './accuracy.ts';
import { driverCard } from './driver-card.ts';
import { openDay } from './sealed-day.ts';
import type { PastSpan, RowColumns } from './span-bytes.ts';

type RawName = keyof RowColumns;

const RAW_OF: { readonly [Name in keyof PastColumns]: RawName } = {
  time: 'fixAt',
  lat: 'lat',
  lon: 'lon',
  speed: 'speed',
  ignition: 'ignition',
  temperature: 'temperature',
  supply: 'supply',
  battery: 'battery',
  fuel: 'fuel',
};

/** What a tracker says of batteries is among its attributes. */
const ATTRIBUTES = { supply: 'externalVoltage', battery: 'batteryLevel' } as const;

/** A stretch of a vehicle's past as rules look at it; columns are read when they are first asked for. */
class PastDay implements Past {
  readonly count: number;
  readonly lastAt: number;
  readonly #readBox: () => Past['box'];
  readonly #read: (name: RawName) => RowColumns[RawName];
  #columns: Partial<Record<RawName, RowColumns[RawName]>> = {};
  #box: Past['box'] | null = null;

  constructor(count: number, lastAt: number, box: () => Past['box'], read: (name: RawName) => RowColumns[RawName]) {
    this.count = count;
    this.lastAt = lastAt;
    this.#readBox = box;
    this.#read = read;
  }

  get box(): Past['box'] {
    this.#box ??= this.#readBox();
    return this.#box;
  }

  column<Name extends keyof PastColumns>(name: Name): PastColumns[Name] {
    return this.#raw(RAW_OF[name]) as PastColumns[Name];
  }

  fix(i: number): RuleFix {
    const speed = this.#raw('speed')[i] ?? null;
    const hdop = this.#raw('hdop')[i] ?? null;
    const [temperature, fuel] = [this.#raw('temperature')[i] ?? null, this.#raw('fuel')[i] ?? null];
    const [supply, battery] = [this.#raw('supply')[i] ?? null, this.#raw('battery')[i] ?? null];
    return {
      time: epochMs(this.#raw('fixAt')[i] as number),
      lat: degrees(this.#raw('lat')[i] as number),
      lon: degrees(this.#raw('lon')[i] as number),
      speed: speed === null ? null : metresPerSecond(speed),
      ignition: this.#raw('ignition')[i] ?? null,
      accuracy: accuracyOf(hdop),
      temperature: temperature === null ? null : celsius(temperature),
      fuel: fuel === null ? null : percent(fuel),
      supply: supply === null ? null : volts(supply),
      battery: battery === null ? null : percent(battery),
      card: this.#raw('card')[i] ?? null,
    };
  }

  forget(): void {
    this.#columns = {};
  }

  #raw<Name extends RawName>(name: Name): RowColumns[Name] {
    this.#columns[name] ??= this.#read(name);
    return this.#columns[name] as RowColumns[Name];
  }
}

/** What only some rules look at; the others count it as not sent. */
export type Measured = 'hdop' | 'temperature' | 'fuel' | 'supply' | 'battery' | 'card';

/** The reliable fixes of a packed day. */
export function pastOfTrack(track: Uint8Array, { beforeMs, fromMs }: PastSpan, measured: readonly Measured[]): Past {
  const open = openDay(track);
  const { believed, count, firstAt, lastAt, maxLat, maxLon, minLat, minLon } = open.header;
  const box = () => ({ south: minLat, west: minLon, north: maxLat, east: maxLon });
  const isWhole = believed === count && firstAt >= fromMs && lastAt < beforeMs;
  const nothing = new Array<null>(count).fill(null);
  const places = isWhole ? null : placesWithin(open, { beforeMs, fromMs });
  const read = (name: RawName): RowColumns[RawName] => {
    if (MEASURED.has(name) && !measured.includes(name as Measured)) return nothing;
    const column = columnOf(open, name);
    return places === null ? column : places.map(place => column[place] as never);
  };
  return new PastDay(places?.length ?? count, Math.min(lastAt, beforeMs - 1), box, read);
}

const MEASURED: ReadonlySet<RawName> = new Set<RawName>(['hdop', 'temperature', 'fuel', 'supply', 'battery', 'card']);

function placesWithin(open: OpenTrack, { beforeMs, fromMs }: PastSpan): number[] {
  const { fixAt } = open.columns(['fixAt']);
  const isBelieved = open.header.believed === open.header.count ? null : open.columns(['valid', 'doubts']);
  const places: number[] = [];
  for (let i = 0; i < fixAt.length; i++) {
    if ((fixAt[i] as number) < fromMs || (fixAt[i] as number) >= beforeMs) continue;
    if (isBelieved === null || (isBelieved.valid[i] && isBelieved.doubts[i] === 0)) places.push(i);
  }
  return places;
}

function columnOf(open: OpenTrack, name: RawName): RowColumns[RawName] {
  if (name === 'card') {
    const { protocol, rfid } = open.columns(['protocol', 'rfid']);
    return rfid.map((card, i) => (card === null ? null : driverCard({ protocol: protocol[i] as string, rfid: card })));
  }
  if (name !== 'supply' && name !== 'battery') return open.columns([name])[name];
  return open.columns(['attributes']).attributes.map(attributes => attributeOf(attributes, ATTRIBUTES[name]));
}

function attributeOf(attributes: TrackPosition['attributes'], name: string): number | null {
  const value = (attributes as Readonly<Record<string, unknown>> | null)?.[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The same of rows, whose columns the database has put together. */
export function pastOfRows(columns: RowColumns): Past {
  const { fixAt, lat, lon } = columns;
  const box = (): Past['box'] => {
    let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < fixAt.length; i++) {
      const [y, x] = [lat[i] as number, lon[i] as number];
      south = Math.min(south, y);
      north = Math.max(north, y);
      west = Math.min(west, x);
      east = Math.max(east, x);
    }
    return { south, west, north, east };
  };
  return new PastDay(fixAt.length, fixAt[fixAt.length - 1] ?? 0, box, name => columns[name]);
}
