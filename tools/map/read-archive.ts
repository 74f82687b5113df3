import type { Inputs } from './inputs.ts';

/** The parts used of pmtiles. */
export interface Archive {
  getHeader(): Promise<{ readonly minZoom: number; readonly maxZoom: number }>;
  getMetadata(): Promise<unknown>;
  getZxy(zoom: number, x: number, y: number): Promise<{ readonly data: ArrayBuffer } | undefined>;
}
interface Package {
  readonly PMTiles: new (source: object) => Archive;
}

/** An existing archive, from memory. */
export function openArchive(inputs: Inputs, bytes: Uint8Array): Archive {
  const { PMTiles } = inputs.load<Package>('pmtiles');
  return new PMTiles({
    getKey: () => 'memory',
    getBytes: async (offset: number, length: number) => ({
      data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer,
    }),
  });
}
