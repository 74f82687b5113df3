import type { Duplex } from 'node:stream';

/** A PUBLISH with QoS 0 or 1 that is not to be retained (MQTT 3.1.1 section 3.3). */
export interface DivertedPublish {
  readonly topic: Buffer;
  /** Null for QoS 0, which has no acknowledgement. */
  readonly messageId: number | null;
  readonly payload: Buffer;
}

export interface DiversionParts {
  /** Whether a publish is handled here; otherwise it goes to the broker like any other packet. */
  takes(publish: DivertedPublish): boolean;
  /** Must not throw. Calls `done` when it has been answered, or never will be; at once, if it likes. */
  take(publish: DivertedPublish, done: () => void): void;
  /** How many publishes may wait for their answer before reading stops. */
  readonly inFlight: number;
}

const PUBLISH = 3;
const CONTINUES = 0x80;

/**
 * Takes a tracker's publishes out of what the broker reads from its connection. Aedes spends as much on a publish as all
 * the rest of the server does: it makes an object of it, asks, emits and counts. Nobody subscribes to what trackers
 * publish, so that nothing of this is needed. All other packets go on to it, whole and in their order. Publishes are
 * taken as they arrive, before the stream's buffer and its events.
 */
export class PublishDiversion {
  readonly #parts: DiversionParts;
  readonly #stream: Duplex;
  /** Of a packet that has not come to its end: what there is, and how much is wanted before it is looked at again. */
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = 0;
  #inFlight = 0;
  /** Publishes passed to the broker and not answered yet: nothing may overtake them [MQTT-4.6.0-2]. */
  #passedOn = 0;
  #isHeld = false;
  readonly #readOn: () => void;
  readonly #done = (): void => this.#answeredHere();

  constructor(stream: Duplex, parts: DiversionParts) {
    this.#stream = stream;
    this.#parts = parts;
    const push = stream.push.bind(stream);
    stream.push = (chunk: unknown, encoding) => {
      if (!Buffer.isBuffer(chunk)) return push(chunk, encoding);
      const left = this.sift(chunk);
      // While held, nothing more is read, which holds up the tracker.
      return (left === null || push(left)) && !this.#isHeld;
    };
    const read = stream._read.bind(stream);
    this.#readOn = () => read(0);
    stream._read = size => {
      if (!this.#isHeld) read(size);
    };
  }

  /** The broker has answered a publish that was passed to it. */
  answered(): void {
    if (this.#passedOn > 0) this.#passedOn--;
  }

  /** Takes its publishes out of what has come, and answers what is left for the broker; null when that is nothing. */
  sift(chunk: Buffer): Buffer | null {
    const bytes = this.#whole(chunk);
    if (bytes === null) return null;
    const left: Buffer[] = [];
    let at = 0;
    let from = 0;
    while (at < bytes.length) {
      const end = packetEnd(bytes, at);
      if (end === null || end > bytes.length) break;
      if ((bytes[at] ?? 0) >> 4 === PUBLISH && this.#takeOut(bytes, at, end)) {
        if (at > from) left.push(bytes.subarray(from, at));
        from = end;
      }
      at = end;
    }
    if (at > from) left.push(bytes.subarray(from, at));
    this.#keep(bytes, at);
    if (left.length === 0) return null;
    return left.length === 1 ? (left[0] ?? null) : Buffer.concat(left);
  }

  /** With what was kept of a packet's beginning; null while that has no end. */
  #whole(chunk: Buffer): Buffer | null {
    if (this.#length === 0) return chunk;
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#wanted) return null;
    const bytes = Buffer.concat(this.#pieces, this.#length);
    this.#pieces = [];
    this.#length = 0;
    return bytes;
  }

  #keep(bytes: Buffer, at: number): void {
    if (at === bytes.length) return;
    // A copy, so that half a packet does not keep the whole of the buffer that it came in.
    const piece = Buffer.from(bytes.subarray(at));
    this.#pieces = [piece];
    this.#length = piece.length;
    this.#wanted = packetEnd(piece, 0) ?? piece.length + 1;
  }

  #takeOut(bytes: Buffer, at: number, end: number): boolean {
    const publish = this.#passedOn === 0 ? readPublish(bytes, at, end) : null;
    if (publish === null || !this.#parts.takes(publish)) {
      this.#passedOn++;
      return false;
    }
    this.#inFlight++;
    if (this.#inFlight >= this.#parts.inFlight) this.#isHeld = true;
    this.#parts.take(publish, this.#done);
    return true;
  }

  #answeredHere(): void {
    this.#inFlight--;
    if (!this.#isHeld || this.#inFlight >= this.#parts.inFlight) return;
    this.#isHeld = false;
    if (!this.#stream.destroyed) this.#readOn();
  }
}

/** Where the packet that begins at `at` ends (section 2.2.3); null while its length is not there. */
function packetEnd(bytes: Buffer, at: number): number | null {
  let length = 0;
  for (let i = 1; i <= 4; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return null;
    length += (byte & ~CONTINUES) * 128 ** (i - 1);
    if ((byte & CONTINUES) === 0) return at + i + 1 + length;
  }
  // No length at all: anyone who limits packets has ended the connection.
  return bytes.length;
}

/** Null for what the broker has to judge: QoS 2, what is to be retained, and what is no publish of MQTT 3.1.1. */
function readPublish(bytes: Buffer, from: number, end: number): DivertedPublish | null {
  const flags = bytes[from] ?? 0;
  const qos = (flags >> 1) & 0b11;
  if (qos > 1 || flags & 0b0001) return null;
  let at = from + 1;
  while ((bytes[at] ?? 0) & CONTINUES) at++;
  at++;
  if (end < at + 2) return null;
  const topicEnd = at + 2 + bytes.readUInt16BE(at);
  const payloadAt = topicEnd + (qos === 1 ? 2 : 0);
  if (end < payloadAt) return null;
  const messageId = qos === 1 ? bytes.readUInt16BE(topicEnd) : null;
  // [MQTT-2.3.1-1]
  if (messageId === 0) return null;
  return { topic: bytes.subarray(at + 2, topicEnd), messageId, payload: bytes.subarray(payloadAt, end) };
}
