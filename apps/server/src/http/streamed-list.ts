import { Readable } from 'node:stream';

/** Characters gathered before they go out as one piece. */
const PIECE = 64 * 1024;

/**
 * A JSON array that is longer than memory should hold: written as its items come, at the pace of the reader. When the
 * source fails half-way the connection is cut, so that half an answer is never taken for a whole one (invariant I7).
 */
export class StreamedList<Item> {
  readonly items: AsyncIterable<Item>;
  constructor(items: AsyncIterable<Item>) {
    this.items = items;
  }

  toStream(): Readable {
    return Readable.from(jsonArray(this.items), { objectMode: false });
  }
}

async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let piece = '[';
  let separator = '';
  for await (const item of items) {
    piece += separator + JSON.stringify(item);
    separator = ',';
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}]`;
}
