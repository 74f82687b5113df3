import { randomUUID } from 'node:crypto';
import type { PositionMessage } from '@milepost/decoders';
import type { Random } from '../../apps/simulator/src/drive/random.ts';

const HOUR_MS = 3_600_000;
const PACKET = 40;

/** Without a network now and then, for minutes or for days. */
class Network {
  #until = 0;
  #isThere = true;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  isThere(nowMs: number): boolean {
    if (nowMs >= this.#until) {
      const isFirst = this.#until === 0;
      this.#isThere = isFirst || !this.#isThere;
      const hours = this.#isThere ? 4 + this.#random() * 60 : this.#random() < 0.2 ? 40 : this.#random() * 8;
      this.#until = nowMs + hours * HOUR_MS;
    }
    return this.#isThere;
  }
}

/** A tracker's connection: resolves when all of it is acknowledged. */
export interface Line {
  send(positions: readonly PositionMessage[]): Promise<void>;
  hangUp(): void;
}

/** A tracker that keeps what was not acknowledged, and sends it in any order, some of it twice. */
export class Tracker {
  #line: Line | null = null;
  #next: PositionMessage | null = null;
  #due: PositionMessage[] = [];
  readonly #network: Network;
  readonly #dial: () => Promise<Line>;
  readonly #reports: Iterator<PositionMessage>;
  readonly #random: Random;
  sent = 0;

  constructor(dial: () => Promise<Line>, reports: Iterable<PositionMessage>, random: Random) {
    this.#dial = dial;
    this.#reports = reports[Symbol.iterator]();
    this.#random = random;
    this.#network = new Network(random);
    this.#next = this.#reports.next().value ?? null;
  }

  get isDone(): boolean {
    return this.#next === null && this.#due.length === 0;
  }

  /** Sends what has been measured by now; throws if the server does not take it. */
  async send(nowMs: number, isLast: boolean): Promise<void> {
    // A wrong clock says nothing about when a report was made: right after the one before.
    while (this.#next && (this.#next.time <= nowMs || this.#next.time > nowMs + 300 * 24 * HOUR_MS)) {
      this.#due.push(this.#next);
      this.#next = this.#reports.next().value ?? null;
    }
    if (this.#due.length === 0 || !(this.#network.isThere(nowMs) || isLast)) return;
    const due = this.#due;
    const packets: PositionMessage[][] = [];
    for (let from = 0; from < due.length; from += PACKET) packets.push(due.slice(from, from + PACKET));
    if (this.#random() < 0.3) packets.reverse();
    if (this.#random() < 0.1 && packets[0]) packets.push(packets[0]);
    try {
      this.#line ??= await this.#dial();
      for (const packet of packets) await this.#line.send(packet);
    } catch (error) {
      this.hangUp();
      throw error;
    }
    this.sent += due.length;
    this.#due = this.#due.slice(due.length);
  }

  hangUp(): void {
    this.#line?.hangUp();
    this.#line = null;
  }
}

export interface PhoneInput {
  readonly atMs: number;
  readonly action: object;
  /** The driver whose phone must have sent everything before: the other driver's, where one answers the other. */
  readonly after: number | null;
}

export type Send = (
  token: string,
  inputs: readonly object[],
) => Promise<readonly { readonly refusal: string | null }[]>;

/** A driver's phone: entries in order, each until the server has answered it. */
export class Phone {
  readonly refused: string[] = [];
  readonly #inputs: readonly (PhoneInput & { readonly id: string })[];
  readonly #token: string;
  readonly #network: Network;
  #sent = 0;

  constructor(token: string, inputs: readonly PhoneInput[], random: Random) {
    this.#token = token;
    this.#inputs = inputs.map(input => ({ ...input, id: randomUUID() }));
    this.#network = new Network(random);
  }

  get isDone(): boolean {
    return this.#sent === this.#inputs.length;
  }

  hasSentAllBefore(atMs: number): boolean {
    const next = this.#inputs[this.#sent];
    return !next || next.atMs >= atMs;
  }

  async send(send: Send, phones: readonly Phone[], nowMs: number, isLast: boolean): Promise<void> {
    if (!(this.#network.isThere(nowMs) || isLast)) return;
    const due = this.#inputs.slice(this.#sent, this.#sent + 200);
    const until = due.findIndex(
      ({ after, atMs }) => atMs > nowMs || (after !== null && phones[after]?.hasSentAllBefore(atMs) === false),
    );
    const now = until === -1 ? due : due.slice(0, until);
    if (now.length === 0) return;
    const inputs = now.map(({ action, atMs, id }) => ({ id, at: new Date(atMs).toISOString(), action }));
    const outcomes = await send(this.#token, inputs);
    for (const [i, { refusal }] of outcomes.entries()) {
      const one = inputs[i];
      if (refusal !== null && one) this.refused.push(`${one.at} ${JSON.stringify(one.action)}: ${refusal}`);
    }
    this.#sent += now.length;
  }
}
