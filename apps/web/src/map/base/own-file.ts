import type { BaseMap } from '@milepost/contract';
import { PMTiles, Protocol, type RangeResponse, type Source } from 'pmtiles';
import { authorization } from './authorization.ts';

/** Reads PMTiles archives: the product's own by URL, and those of the installation with the user's token. */
export const pmtiles = new Protocol();

type OwnFile = Extract<BaseMap, { readonly kind: 'file' }>;

/** The URL of the installation's street map for use in a style. */
export function ownFileUrl({ name, version }: OwnFile): string {
  const path = `${location.origin}/map/own/${name}`;
  const key = `${path}?${version}`;
  if (!pmtiles.get(key)) pmtiles.add(new PMTiles(new OwnSource(path, key)));
  return `pmtiles://${key}`;
}

class OwnSource implements Source {
  readonly #path: string;
  readonly #key: string;

  constructor(path: string, key: string) {
    this.#path = path;
    this.#key = key;
  }

  getKey(): string {
    return this.#key;
  }

  async getBytes(offset: number, length: number, signal?: AbortSignal): Promise<RangeResponse> {
    const response = await fetch(this.#path, {
      headers: { range: `bytes=${offset}-${offset + length - 1}`, ...authorization() },
      signal: signal ?? null,
    });
    // A server that ignores the range sends the whole file, which may be larger than the memory.
    if (response.status !== 206) throw new Error(`${this.#path} answered ${response.status}`);
    return { data: await response.arrayBuffer() };
  }
}
