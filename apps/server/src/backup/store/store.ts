/** Where backups are kept: whole objects by name. Nothing in it is trusted; everything is encrypted before it gets here. */
export interface Store {
  /** Where it is, in words. */
  readonly place: string;
  /** Writes all of an object safely, or nothing. An object of that name is replaced. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null if there is no such object. */
  get(name: string): Promise<Buffer | null>;
  /** Every object whose name begins with this, in no order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** One that is gone already is no error. */
  remove(name: string): Promise<void>;
}

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}
