/** Builds frames, big endian; grows as needed. */
export class ByteWriter {
  private buffer = new Uint8Array(256);
  private view = new DataView(this.buffer.buffer);
  private length = 0;

  private room(bytes: number): number {
    const at = this.length;
    if (at + bytes > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.buffer.length * 2, at + bytes));
      larger.set(this.buffer);
      this.buffer = larger;
      this.view = new DataView(larger.buffer);
    }
    this.length += bytes;
    return at;
  }

  u8(value: number): this {
    const at = this.room(1);
    this.view.setUint8(at, value);
    return this;
  }

  u16(value: number): this {
    const at = this.room(2);
    this.view.setUint16(at, value);
    return this;
  }

  u24(value: number): this {
    return this.u8(value >>> 16).u16(value);
  }

  u32(value: number): this {
    const at = this.room(4);
    this.view.setUint32(at, value);
    return this;
  }

  u64(value: number): this {
    return this.u32(Math.floor(value / 2 ** 32)).u32(value % 2 ** 32);
  }

  bytes(value: Uint8Array): this {
    const at = this.room(value.length);
    this.buffer.set(value, at);
    return this;
  }

  ascii(text: string): this {
    return this.bytes(Uint8Array.from(text, character => character.charCodeAt(0) & 0x7f));
  }

  /** Hex digits, two to a byte; an odd number of digits is padded with a leading zero. */
  hex(digits: string): this {
    const even = digits.length % 2 === 0 ? digits : `0${digits}`;
    for (let i = 0; i < even.length; i += 2) this.u8(Number.parseInt(even.slice(i, i + 2), 16));
    return this;
  }

  done(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }
}
