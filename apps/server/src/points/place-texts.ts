import {
  compassPoint,
  type FoundTown,
  findStreet,
  findTown,
  type KnownPlaces,
  openPlaceIndex,
  PlaceCells,
  textsOf,
  townName,
  wayFrom,
} from '@milepost/geo';
import { degrees, metres, toKilometres, toMiles } from '@milepost/units';
import { cellBytes } from './line-writer.ts';

/** Cells of 11 m: vehicles stop at the same places and take the same roads. */
const CELLS = 2 ** 18;
const TEXTS_REMEMBERED = 20_000;
const POINTS = 16;
const NOWHERE = Buffer.alloc(0);

/** How places are written. */
export interface PlaceWords {
  readonly isMiles: boolean;
  /** For each of the 16 points of the compass, `LENGTH mi SSW of TOWN`, with these two left open. */
  readonly near: readonly string[];
}

/** Stand for the length and the town in `near`; neither can be typed. */
export const [LENGTH, TOWN] = ['\u0000', '\u0001'];

/** Names places as cells of CSV, without a string for each: a place in a town is a pair of numbers, and so is one near it. */
export class PlaceTexts {
  readonly #known: KnownPlaces;
  readonly #index: ReturnType<typeof openPlaceIndex>;
  readonly #streetName: (street: number) => string;
  readonly #words: PlaceWords;
  readonly #cells: PlaceCells<Uint8Array>;
  /** By town, then by what else is said. */
  readonly #texts = new Map<number, Map<number, Uint8Array>>();
  #count = 0;
  readonly #found: FoundTown = { town: 0, within: false };

  constructor(known: KnownPlaces, words: PlaceWords) {
    this.#known = known;
    this.#index = openPlaceIndex(known.towns);
    this.#streetName = known.streets === null ? () => '' : textsOf(known.streets.names);
    this.#words = words;
    this.#cells = new PlaceCells(CELLS, (lat, lon) => this.#look(lat, lon));
  }

  at(lat: number, lon: number): Uint8Array {
    return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? this.#cells.at(lat, lon) : NOWHERE;
  }

  #look(lat: number, lon: number): Uint8Array {
    const found = this.#found;
    if (!findTown(this.#index, lat, lon, found)) return NOWHERE;
    const { town } = found;
    if (found.within) {
      const { streets } = this.#known;
      const street = streets === null ? -1 : findStreet(streets, lat, lon);
      return this.#textOf(town, street) ?? this.#remember(town, street, this.#inTown(street, town));
    }
    const way = wayFrom(this.#known.towns, town, { lat: degrees(lat), lon: degrees(lon) });
    const distance = metres(Math.round(way.distance));
    const length = Math.max(1, Math.round(this.#words.isMiles ? toMiles(distance) : toKilometres(distance)));
    const point = pointOf(Math.round(way.bearing));
    const away = -2 - (length * POINTS + point);
    return this.#textOf(town, away) ?? this.#remember(town, away, this.#near(length, point, town));
  }

  #inTown(street: number, town: number): string {
    const name = townName(this.#index, town);
    return street < 0 ? name : `${this.#streetName(street)}, ${name}`;
  }

  #near(length: number, point: number, town: number): string {
    const name = townName(this.#index, town);
    const text = this.#words.near[point] as string;
    return text.replace(LENGTH, () => String(length)).replace(TOWN, () => name);
  }

  #textOf(town: number, more: number): Uint8Array | undefined {
    return this.#texts.get(town)?.get(more);
  }

  #remember(town: number, more: number, text: string): Uint8Array {
    if (this.#count >= TEXTS_REMEMBERED) {
      this.#texts.clear();
      this.#count = 0;
    }
    const bytes = cellBytes(text);
    const ofTown = this.#texts.get(town) ?? new Map<number, Uint8Array>();
    this.#texts.set(town, ofTown.set(more, bytes));
    this.#count++;
    return bytes;
  }
}

/** The points of the compass in their order, each as `compassPoint` calls it. */
export const COMPASS_POINTS: readonly string[] = Array.from({ length: POINTS }, (_, point) =>
  compassPoint(degrees(point * 22.5)),
);

const pointOf = (bearing: number): number => Math.round((bearing % 360) / 22.5) % POINTS;
