/** How often folders and departments are fetched [R4.09, R9.03]. */
export const REFRESH_MS = 60_000;

/** Who waits for the first answer does not wait a minute for the next try. */
export const RETRY_MS = 5000;

/** An answer with its tag, or null: what was last answered still holds. */
export type IfChanged<T> = { readonly answer: T; readonly etag: string | null } | null;

export interface FeedParts<T> {
  readonly read: (etag: string | null) => Promise<IfChanged<T>>;
  readonly changed: (answer: T) => void;
  /** Reading failed (and why), or works again (null). */
  readonly failed: (error: unknown) => void;
}

/**
 * Keeps one list as the server has it: read at the start, every minute by a conditional request, and at once after a
 * write [R7.32]. One read at a time; what is asked for meanwhile is read once more. After `stop` nothing is delivered.
 */
export class GroupFeed<T> {
  readonly #parts: FeedParts<T>;
  #timer: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #etag: string | null = null;
  /** Grows with each start: an answer to an earlier one is void. */
  #run = 0;
  #reading: Promise<void> | null = null;
  #again = false;

  constructor(parts: FeedParts<T>) {
    this.#parts = parts;
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS);
    void this.refresh();
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    this.#timer = undefined;
    this.#etag = null;
    this.#run++;
    this.#reading = null;
    this.#again = false;
  }

  /** Resolves once a list requested after this call has been read. Failures go to `failed` and are not thrown. */
  refresh(): Promise<void> {
    if (this.#timer === undefined) return Promise.resolve();
    if (this.#reading) this.#again = true;
    else this.#reading = this.#read(this.#run);
    return this.#reading;
  }

  async #read(run: number): Promise<void> {
    do {
      this.#again = false;
      try {
        const news = await this.#parts.read(this.#etag);
        if (run !== this.#run) return;
        this.#parts.failed(null);
        if (!news) continue;
        this.#etag = news.etag;
        this.#parts.changed(news.answer);
      } catch (error) {
        if (run !== this.#run) return;
        this.#parts.failed(error);
        if (this.#etag === null) this.#retry = setTimeout(() => void this.refresh(), RETRY_MS);
      }
    } while (this.#again);
    this.#reading = null;
  }
}
