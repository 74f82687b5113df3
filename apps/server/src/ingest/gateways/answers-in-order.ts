import type { Writable } from 'node:stream';

interface Waiting<Answer> {
  readonly answer: Answer | null;
  isDue: boolean;
}

/** Answers of one connection: each is sent once what it acknowledges is stored and all answers before it were sent. */
export class AnswersInOrder<Answer = Uint8Array> {
  readonly #stream: Pick<Writable, 'cork' | 'uncork'>;
  readonly #send: (answer: Answer) => void;
  readonly #onLeft: () => void;
  readonly #onFailed: (error: unknown, answer: Answer | null) => void;
  readonly #queue: Waiting<Answer>[] = [];
  #willSend = false;
  #whenEmpty: (() => void) | null = null;

  /** `send` writes to `stream`. */
  constructor(
    stream: Pick<Writable, 'cork' | 'uncork'>,
    send: (answer: Answer) => void,
    onLeft: () => void,
    onFailed: (error: unknown, answer: Answer | null) => void,
  ) {
    this.#stream = stream;
    this.#send = send;
    this.#onLeft = onLeft;
    this.#onFailed = onFailed;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** `stored` null: due at once. */
  add(answer: Answer | null, stored: Promise<void> | null): void {
    if (stored === null && this.#queue.length === 0) {
      if (answer !== null) this.#send(answer);
      return;
    }
    const waiting: Waiting<Answer> = { answer, isDue: stored === null };
    this.#queue.push(waiting);
    stored?.then(
      () => {
        waiting.isDue = true;
        if (this.#willSend) return;
        this.#willSend = true;
        // After all others of the same commit, so that one write takes them.
        queueMicrotask(() => this.#sendDue());
      },
      error => this.#onFailed(error, answer),
    );
  }

  whenEmpty(action: () => void): void {
    if (this.#queue.length === 0) action();
    else this.#whenEmpty = action;
  }

  #sendDue(): void {
    this.#willSend = false;
    const end = this.#queue.findIndex(({ isDue }) => !isDue);
    const due = this.#queue.splice(0, end < 0 ? this.#queue.length : end);
    if (due.length === 0) return;
    if (due.length > 1) this.#stream.cork();
    for (const { answer } of due) if (answer !== null) this.#send(answer);
    if (due.length > 1) this.#stream.uncork();
    this.#onLeft();
    if (this.#queue.length === 0) this.#whenEmpty?.();
  }
}
