import { type Track, unpackTrackFile } from './unpack.ts';

/** Unpacks tracks away from the page: a month of them costs the screen nothing. */
declare const self: DedicatedWorkerGlobalScope;

export interface ToUnpack {
  readonly id: number;
  readonly file: ArrayBuffer;
}

export type Unpacked = { readonly id: number } & ({ readonly track: Track } | { readonly problem: string });

self.onmessage = ({ data: { id, file } }: MessageEvent<ToUnpack>) => {
  try {
    const track = unpackTrackFile(new Uint8Array(file));
    const answer: Unpacked = { id, track };
    self.postMessage(
      answer,
      Object.values(track).map(column => column.buffer),
    );
  } catch (error) {
    const answer: Unpacked = { id, problem: String(error) };
    self.postMessage(answer);
  }
};
