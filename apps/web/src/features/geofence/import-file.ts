import { type NewGeofence, newGeofenceSchema } from '@milepost/contract';
import { type Folder, gpx, kmlWithFolders, type Root } from '@tmcw/togeojson';
import { parse } from 'csv-parse/browser/esm/sync';
import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { rounded } from '../../geofences/shapes.ts';

/** One place in a file: the geofence to create, or why it can't be created. */
export interface ImportRow {
  /** Counted from 1. */
  readonly row: number;
  readonly name: string;
  readonly geofence: NewGeofence | null;
  readonly problem: 'notAPlace' | 'badNumber' | null;
  /** Name of its group. */
  readonly group?: string;
  /** An address in place of coordinates, for a circle whose center is not known yet; without a radius, null. */
  readonly address?: { readonly text: string; readonly radiusM: number | null };
}

/** Size in meters of a place without a size. */
export const NEW_RADIUS_M = 150;
const NEW_WIDTH_M = 200;
/** Radius around a town, of which only the center is known. */
export const NEW_TOWN_RADIUS_M = 5000;

/** Reads the places of a GeoJSON, KML, GPX or CSV file. Throws if it is none of these. */
export function readImport(fileName: string, text: string, nameless: (row: number) => string): ImportRow[] {
  const extension = fileName.toLowerCase().split('.').at(-1);
  switch (extension) {
    case 'csv':
    case 'txt':
      return readCsv(text, nameless);
    case 'kml':
      return readFeatures(foldersOf(kmlWithFolders(xmlOf(text))), nameless);
    case 'gpx':
      return readFeatures(gpx(xmlOf(text)) as FeatureCollection, nameless);
    default:
      return readFeatures(JSON.parse(text) as unknown, nameless);
  }
}

/** The places of all folders; each folder is a group. */
function foldersOf({ children }: Root | Folder, group?: string): FeatureCollection {
  const features = children.flatMap((child): Feature[] => {
    if (child.type === 'folder') return foldersOf(child, String(child.meta.name ?? '').trim() || group).features;
    return [{ ...(child as Feature), properties: { ...(group !== undefined && { group }), ...child.properties } }];
  });
  return { type: 'FeatureCollection', features };
}

function xmlOf(text: string): Document {
  const document = new DOMParser().parseFromString(text, 'text/xml');
  if (document.querySelector('parsererror')) throw new Error('not XML');
  return document;
}

function readFeatures(data: unknown, nameless: (row: number) => string): ImportRow[] {
  const given = data as Partial<FeatureCollection> | Feature | Geometry | null;
  const type = given?.type;
  const features = type === 'FeatureCollection' ? (given as FeatureCollection).features : undefined;
  const all = features ?? (type === 'Feature' ? [given as Feature] : [{ geometry: given } as Feature]);
  if (!Array.isArray(all) || type === undefined) throw new Error('not GeoJSON');
  // A place with several parts becomes several geofences.
  const parts = all.flatMap(feature => partsOf(feature?.geometry).map(geometry => ({ feature, geometry })));
  return parts.map(({ feature, geometry }, i) => {
    const row = i + 1;
    const properties = feature?.properties ?? {};
    const name = String(properties.name ?? properties.title ?? '').trim() || nameless(row);
    const shape = geometry && shapeOf(geometry, properties);
    if (!shape) return { row, name, geofence: null, problem: 'notAPlace' };
    const group = typeof properties.group === 'string' &&
      properties.group.trim() !== '' && { group: properties.group.trim() };
    return { row, name, geofence: { name, shape, ...settingsOf(properties) }, problem: null, ...group };
  });
}

const SETTINGS = ['color', 'isRestricted', 'isOn', 'note', 'edge', 'detention', 'speedLimitKmh'] as const;

/** What an export says besides name and shape; what another program means by the same word is left out. */
function settingsOf(properties: Readonly<Record<string, unknown>>): Partial<NewGeofence> {
  const given = SETTINGS.flatMap(key => {
    const { data } = newGeofenceSchema.shape[key].safeParse(properties[key]);
    return data === undefined || data === null ? [] : [[key, data] as const];
  });
  return Object.fromEntries(given);
}

function partsOf(geometry: Geometry | null | undefined): (Geometry | null)[] {
  switch (geometry?.type) {
    case 'GeometryCollection':
      return geometry.geometries.flatMap(partsOf);
    case 'MultiPolygon':
      return geometry.coordinates.map(coordinates => ({ type: 'Polygon', coordinates }));
    case 'MultiLineString':
      return geometry.coordinates.map(coordinates => ({ type: 'LineString', coordinates }));
    case 'MultiPoint':
      return geometry.coordinates.map(coordinates => ({ type: 'Point', coordinates }));
    default:
      return [geometry ?? null];
  }
}

function shapeOf(geometry: Geometry, properties: Readonly<Record<string, unknown>>): NewGeofence['shape'] | null {
  const size = (name: string, otherwise: number): number => {
    const value = Number(properties[name] ?? properties[name.replace(/M$/, '')]);
    return value > 0 ? value : otherwise;
  };
  const place = (point: Position) => rounded(point);
  switch (geometry.type) {
    case 'Point':
      return { kind: 'circle', center: place(geometry.coordinates), radiusM: size('radiusM', NEW_RADIUS_M) };
    case 'LineString':
      return { kind: 'corridor', line: geometry.coordinates.map(place), widthM: size('widthM', NEW_WIDTH_M) };
    case 'Polygon':
      return (
        rectangleOf(geometry.coordinates, properties) ?? {
          kind: 'polygon',
          rings: geometry.coordinates.map(ring => open(ring).map(place)),
        }
      );
    default:
      return null;
  }
}

/** The rectangle of four corners that an export calls one; null for anything else. */
function rectangleOf(
  [ring = [], ...holes]: readonly Position[][],
  { kind }: Readonly<Record<string, unknown>>,
): NewGeofence['shape'] | null {
  const corners = open(ring);
  const [lons, lats] = [corners.map(([lon = 0]) => lon), corners.map(([, lat = 0]) => lat)];
  const isOne = holes.length === 0 && corners.length === 4 && new Set(lons).size === 2 && new Set(lats).size === 2;
  if (kind !== 'rectangle' || !isOne) return null;
  const [west, south] = rounded([Math.min(...lons), Math.min(...lats)]);
  const [east, north] = rounded([Math.max(...lons), Math.max(...lats)]);
  return { kind, bounds: [west, south, around(east), north] };
}

/** Across the antimeridian, GeoJSON goes on past 180 degrees. */
const around = (lon: number): number => (lon > 180 ? lon - 360 : lon);

/** Drops a ring's last point, because GeoJSON repeats the first point there. */
function open(ring: readonly Position[]): readonly Position[] {
  const isClosed = ring.length > 1 && String(ring[0]) === String(ring.at(-1));
  return isClosed ? ring.slice(0, -1) : ring;
}

function readCsv(text: string, nameless: (row: number) => string): ImportRow[] {
  // Where decimals have commas, spreadsheets separate columns with semicolons.
  const [head = ''] = text.split('\n', 1);
  const delimiter = [';', '\t'].find(one => head.includes(one)) ?? ',';
  const rows: Record<string, string>[] = parse(text, {
    bom: true,
    columns: (head: string[]) => head.map(column => column.trim().toLowerCase()),
    delimiter,
    skip_empty_lines: true,
    trim: true,
    relax_column_count: true,
  });
  return rows.map((cells, i) => {
    const row = i + 1;
    const cell = (...names: readonly string[]): string => names.map(name => cells[name]).find(Boolean) ?? '';
    const name = cell('name', 'title') || nameless(row);
    const [lat, lon] = [cell('lat', 'latitude'), cell('lon', 'lng', 'longitude')];
    const radius = cell('radius', 'radiusm', 'radius_m');
    const address = cell('address', 'town', 'city');
    const group = cell('group') !== '' && { group: cell('group') };
    if (lat === '' && lon === '' && address !== '') {
      const radiusM = radius === '' ? null : Number(radius.replace(',', '.'));
      if (radiusM !== null && !Number.isFinite(radiusM)) return { row, name, geofence: null, problem: 'badNumber' };
      return {
        row,
        name: cell('name', 'title') || address,
        geofence: null,
        problem: null,
        address: { text: address, radiusM },
        ...group,
      };
    }
    if (lat === '' || lon === '') return { row, name, geofence: null, problem: 'notAPlace' };
    const [y, x, radiusM] = [lat, lon, radius || String(NEW_RADIUS_M)].map(value => Number(value.replace(',', '.')));
    if (![y, x, radiusM].every(Number.isFinite)) return { row, name, geofence: null, problem: 'badNumber' };
    const shape = { kind: 'circle' as const, center: rounded([x ?? 0, y ?? 0]), radiusM: radiusM ?? 0 };
    return { row, name, geofence: { name, shape }, problem: null, ...group };
  });
}
