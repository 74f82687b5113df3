interface Answer {
  readonly bytes: Uint8Array | null;
  isDue: boolean;
}

/** Answers of one connection: each is sent once what it acknowledges is stored and all answers before it were sent. */
export class AnswersInOrder {
  readonly #send: (answer: Uint8Array) => void;
  readonly #onLeft: () => void;
  readonly #onFailed: (error: unknown) => void;
  readonly #queue: Answer[] = [];
  #whenEmpty: (() => void) | null = null;

  constructor(send: (answer: Uint8Array) => void, onLeft: () => void, onFailed: (error: unknown) => void) {
    this.#send = send;
    this.#onLeft = onLeft;
    this.#onFailed = onFailed;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** `stored` null: due at once. */
  add(bytes: Uint8Array | null, stored: Promise<void> | null): void {
    if (stored === null && this.#queue.length === 0) {
      if (bytes) this.#send(bytes);
      return;
    }
    const answer: Answer = { bytes, isDue: stored === null };
    this.#queue.push(answer);
    stored?.then(() => {
      answer.isDue = true;
      this.#sendDue();
    }, this.#onFailed);
  }

  whenEmpty(action: () => void): void {
    if (this.#queue.length === 0) action();
    else this.#whenEmpty = action;
  }

  #sendDue(): void {
    let left = 0;
    for (; this.#queue[left]?.isDue; left++) {
      const bytes = this.#queue[left]?.bytes;
      if (bytes) this.#send(bytes);
    }
    if (left === 0) return;
    this.#queue.splice(0, left);
    this.#onLeft();
    if (this.#queue.length === 0) this.#whenEmpty?.();
  }
}
