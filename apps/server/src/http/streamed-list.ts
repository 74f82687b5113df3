import { Readable } from 'node:stream';

/** Characters collected before they are sent as one piece. */
const PIECE = 64 * 1024;

/**
 * A JSON array too long to keep in memory: sent as its items arrive, at the client's pace. If the source fails
 * halfway, the connection is cut, so that half a response is never taken for a whole one (invariant I7).
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
