interface Waiting<Answer> {
  readonly answer: Answer | null;
  isDue: boolean;
}

/** Answers of one connection: each is sent once what it acknowledges is stored and all answers before it were sent. */
export class AnswersInOrder<Answer = Uint8Array> {
  readonly #send: (answer: Answer) => void;
  readonly #onLeft: () => void;
  readonly #onFailed: (error: unknown, answer: Answer | null) => void;
  readonly #queue: Waiting<Answer>[] = [];
  #whenEmpty: (() => void) | null = null;

  constructor(
    send: (answer: Answer) => void,
    onLeft: () => void,
    onFailed: (error: unknown, answer: Answer | null) => void,
  ) {
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
        this.#sendDue();
      },
      error => this.#onFailed(error, answer),
    );
  }

  whenEmpty(action: () => void): void {
    if (this.#queue.length === 0) action();
    else this.#whenEmpty = action;
  }

  #sendDue(): void {
    let left = 0;
    for (; this.#queue[left]?.isDue; left++) {
      const answer = this.#queue[left]?.answer ?? null;
      if (answer !== null) this.#send(answer);
    }
    if (left === 0) return;
    this.#queue.splice(0, left);
    this.#onLeft();
    if (this.#queue.length === 0) this.#whenEmpty?.();
  }
}
