import { type Measures, unpackMeasures } from './measures.ts';
import { type Track, unpackTrackFile } from './unpack.ts';

/** Unpacks tracks in a worker, so that even a month of them doesn't slow down the page. */
declare const self: DedicatedWorkerGlobalScope;

export interface ToUnpack {
  readonly id: number;
  readonly file: ArrayBuffer;
  readonly what: 'track' | 'measures';
}

export type Unpacked = { readonly id: number } & (
  | { readonly track: Track }
  | { readonly measures: Measures }
  | { readonly problem: string }
);

self.onmessage = ({ data: { id, file, what } }: MessageEvent<ToUnpack>) => {
  try {
    if (what === 'measures') {
      const measures = unpackMeasures(new Uint8Array(file));
      const answer: Unpacked = { id, measures };
      const columns = [measures.timeMs, measures.card, ...measures.fields.values()];
      self.postMessage(
        answer,
        columns.map(column => column.buffer),
      );
      return;
    }
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
