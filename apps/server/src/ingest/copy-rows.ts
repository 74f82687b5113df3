import { BinaryFields } from './binary-fields.ts';

/** Signature, flags and length of the header's extension: PostgreSQL, COPY, "Binary Format". */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = -1;

/** Rows for `COPY … FROM STDIN (FORMAT binary)`. */
export class CopyRows extends BinaryFields {
  readonly #columns: number;

  constructor(columns: number) {
    super(HEADER.length);
    this.#columns = columns;
  }

  /** Begins a row; its values follow. */
  row(): void {
    this.plainInt2(this.#columns);
  }

  finish(): Buffer {
    this.plainInt2(TRAILER);
    HEADER.copy(this.bytes);
    return this.bytes;
  }
}
