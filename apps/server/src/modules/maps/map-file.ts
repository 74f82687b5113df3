import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { MapFileFault } from '@milepost/contract';
import { bytesToHeader, Compression, type Header, TileType } from 'pmtiles';

/** A street map's own metadata. */
export interface MapFileFacts {
  readonly bounds: readonly [number, number, number, number];
  readonly maxZoom: number;
  readonly attribution: string;
}

export type Inspection = { readonly facts: MapFileFacts } | { readonly fault: MapFileFault };

const HEADER_BYTES = 127;
/** PMTiles v3, section 3: header and root directory are in the first 16 KiB. */
const ROOT_END = 16_384;
const METADATA_LIMIT = 4 * 1024 * 1024;
/** The layers that a map in the Protomaps schema must have. */
const LAYERS = ['roads', 'water'];

/**
 * Checks whether a file is a street map that pages can draw: a complete PMTiles archive (v3) of vector tiles in the
 * Protomaps schema, with bounds. Reads only its start, so a large file takes no longer than a small one.
 */
export async function inspectMapFile(path: string): Promise<Inspection> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const header = await readHeader(file);
    if (!header) return { fault: 'not-pmtiles' };
    if (isCutOff(header, size)) return { fault: 'cut-off' };
    if (header.tileType !== TileType.Mvt) return { fault: 'no-vector-tiles' };
    if (![header.internalCompression, header.tileCompression].every(isReadable)) return { fault: 'compression' };
    const { minLon: west, minLat: south, maxLon: east, maxLat: north } = header;
    if (!(west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90)) {
      return { fault: 'bounds' };
    }
    const metadata = await readMetadata(file, header);
    if (!metadata || !LAYERS.every(layer => metadata.layers.includes(layer))) return { fault: 'schema' };
    return {
      facts: { bounds: [west, south, east, north], maxZoom: header.maxZoom, attribution: metadata.attribution },
    };
  } finally {
    await file.close();
  }
}

async function readHeader(file: FileHandle): Promise<Header | null> {
  const bytes = await readBytes(file, 0, HEADER_BYTES);
  if (bytes?.toString('latin1', 0, 7) !== 'PMTiles' || bytes[7] !== 3) return null;
  try {
    return bytesToHeader(new Uint8Array(bytes).buffer);
  } catch {
    return null;
  }
}

function isCutOff(header: Header, size: number): boolean {
  const { rootDirectoryOffset: root, rootDirectoryLength, jsonMetadataOffset, jsonMetadataLength } = header;
  if (root < HEADER_BYTES || root + rootDirectoryLength > ROOT_END) return true;
  const ends = [
    root + rootDirectoryLength,
    jsonMetadataOffset + jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  ];
  return ends.some(end => end > size);
}

const isReadable = (compression: Compression): boolean =>
  compression === Compression.None || compression === Compression.Gzip;

async function readMetadata(file: FileHandle, { jsonMetadataOffset, jsonMetadataLength, internalCompression }: Header) {
  if (jsonMetadataLength > METADATA_LIMIT) return null;
  const bytes = await readBytes(file, jsonMetadataOffset, jsonMetadataLength);
  if (!bytes) return null;
  try {
    const text =
      internalCompression === Compression.Gzip
        ? await promisify(gunzip)(bytes, { maxOutputLength: METADATA_LIMIT })
        : bytes;
    const metadata: unknown = JSON.parse(text.toString('utf8'));
    return { layers: layersOf(metadata), attribution: attributionOf(metadata) };
  } catch {
    return null;
  }
}

async function readBytes(file: FileHandle, offset: number, length: number): Promise<Buffer | null> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  return bytesRead === length ? bytes : null;
}

function layersOf(metadata: unknown): string[] {
  const layers = field(metadata, 'vector_layers');
  return Array.isArray(layers) ? layers.map(layer => String(field(layer, 'id'))) : [];
}

/** The file's attribution; OpenStreetMap, the usual source of such files, if it has none. */
function attributionOf(metadata: unknown): string {
  const text = field(metadata, 'attribution');
  const plain = typeof text === 'string' ? text.replace(/<[^>]*>/g, '').trim() : '';
  return plain.slice(0, 300) || '© OpenStreetMap contributors';
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
