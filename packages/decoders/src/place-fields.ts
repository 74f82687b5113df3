import type { Degrees } from '@milepost/units';
import { angleOf, decimalAngleOf } from './nmea.ts';

/** A position found among text fields. */
export interface PlaceFields {
  /** Index of its first field, and of the one after its last. */
  readonly at: number;
  readonly end: number;
  readonly lat: Degrees;
  readonly lon: Degrees;
}

/** A hemisphere comes after its number, before it, or in the same field, as a capital or a small letter. */
const HEMISPHERE = /^[NSEW]$/;
const HAS_HEMISPHERE = /[NSEW]/;
const ATTACHED = /^(?:([NSEW]) ?(.+)|(.+?) ?([NSEW]))$/;

interface AngleFields {
  readonly angle: Degrees;
  readonly isLat: boolean;
  readonly end: number;
}

type Notation = typeof angleOf;

/** The angle that begins at this field: number and hemisphere in two fields, in either order, or in one. */
function angleAt(fields: readonly string[], at: number, notation: Notation): AngleFields | null {
  const first = fields[at]?.trim().toUpperCase() ?? '';
  const second = fields[at + 1]?.trim().toUpperCase() ?? '';
  const isPair = HEMISPHERE.test(first) !== HEMISPHERE.test(second);
  if (!isPair && !HAS_HEMISPHERE.test(first)) return null;
  const paired = isPair ? angleIn(`${first}${second}`, notation) : null;
  if (paired) return { ...paired, end: at + 2 };
  const single = angleIn(first, notation);
  return single && { ...single, end: at + 1 };
}

function angleIn(text: string, notation: Notation): Omit<AngleFields, 'end'> | null {
  const [, before, behindIt, beforeIt, behind] = ATTACHED.exec(text) ?? [];
  const hemisphere = before ?? behind ?? '';
  const angle = notation(behindIt ?? beforeIt ?? '', hemisphere);
  return angle === null ? null : { angle, isLat: hemisphere === 'N' || hemisphere === 'S' };
}

/** The first latitude followed by a longitude among text fields, in any notation. */
export function placeIn(fields: readonly string[], from = 0): PlaceFields | null {
  for (let at = from; at + 1 < fields.length; at++) {
    const place = placeAt(fields, at, decimalAngleOf) ?? placeAt(fields, at, angleOf);
    if (place) return place;
  }
  return null;
}

/** Both angles are in the same notation: alone, the longitude 113.905462° would read as 1° 13.905462'. */
function placeAt(fields: readonly string[], at: number, notation: Notation): PlaceFields | null {
  const lat = angleAt(fields, at, notation);
  const lon = lat?.isLat ? angleAt(fields, lat.end, notation) : null;
  return lat && lon && !lon.isLat ? { at, end: lon.end, lat: lat.angle, lon: lon.angle } : null;
}
