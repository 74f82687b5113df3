import type { Duplex } from 'node:stream';

/**
 * Aedes takes packets of up to 256 MB into memory, and offers no limit. This follows the fixed headers (MQTT 3.1.1,
 * section 2.2) of what arrives on the connection, and ends it at the first packet that is announced as longer.
 */
export function limitPackets(stream: Duplex, maxBytes: number, onTooLong: () => void): void {
  const headers = new PacketHeaders(maxBytes);
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding) => {
    if (!(chunk instanceof Uint8Array) || headers.follow(chunk)) return push(chunk, encoding);
    onTooLong();
    return false;
  };
}

const CONTINUES = 0x80;
const MAX_LENGTH_BYTES = 4;

export class PacketHeaders {
  readonly #maxBytes: number;
  /** Bytes of the current packet still to skip. */
  #bodyLeft = 0;
  /** Its length so far, and how many bytes of it were read; -1 before a packet's first byte. */
  #length = 0;
  #lengthBytes = -1;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False if a packet is too long or its length is malformed. */
  follow(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#bodyLeft > 0) {
        const skipped = Math.min(this.#bodyLeft, chunk.length - at);
        this.#bodyLeft -= skipped;
        at += skipped;
      } else if (this.#lengthBytes < 0) {
        this.#length = 0;
        this.#lengthBytes = 0;
        at++;
      } else {
        const byte = chunk[at++] ?? 0;
        this.#length += (byte & ~CONTINUES) * 128 ** this.#lengthBytes++;
        if (byte & CONTINUES) {
          if (this.#lengthBytes === MAX_LENGTH_BYTES) return false;
          continue;
        }
        if (this.#length > this.#maxBytes) return false;
        this.#bodyLeft = this.#length;
        this.#lengthBytes = -1;
      }
    }
    return true;
  }
}
