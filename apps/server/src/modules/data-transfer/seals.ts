import { createHash, type Hash } from 'node:crypto';

/** Rows between two seals: so many lines are said to be changed, and no more. */
export const ROWS_BETWEEN_SEALS = 1000;

/** Seals at the end of a bundle: SHA-256, in hexadecimal, of the rows of each table and of everything before the end. */
export interface EndSeals {
  readonly tables: Readonly<Record<string, string>>;
  readonly whole: string;
}

/** SHA-256 of the lines of a bundle as they are written and read, each with its line feed. */
export class Seals {
  readonly #whole = createHash('sha256');
  readonly #tables = new Map<string, Hash>();

  /** The header, or a seal. */
  line(text: string): void {
    this.#whole.update(text).update('\n');
  }

  row(table: string, text: string): void {
    this.line(text);
    let hash = this.#tables.get(table);
    if (!hash) {
      hash = createHash('sha256');
      this.#tables.set(table, hash);
    }
    hash.update(text).update('\n');
  }

  soFar(): string {
    return this.#whole.copy().digest('hex');
  }

  end(): EndSeals {
    const tables = [...this.#tables].map(([table, hash]) => [table, hash.copy().digest('hex')]);
    return { tables: Object.fromEntries(tables), whole: this.soFar() };
  }
}
