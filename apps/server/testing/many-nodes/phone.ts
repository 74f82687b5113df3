import { randomUUID, webcrypto } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextPhoneLink, phoneChain, START } from '@milepost/eld';
import { call } from '../http-server.ts';
import type { Running } from './servers.ts';

const STATUSES = ['ON', 'SB', 'ON', 'OFF'] as const;
/** As a phone does that hears nothing. */
const ANSWERED_WITHIN_MS = 15_000;
const AGAIN_MS = 200;
const WAKES_MS = 500;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: object;
}

interface Outcome {
  readonly id: string;
  readonly result: string;
  readonly refusal?: string | null;
}

/**
 * A phone of a driver who is signed in to a vehicle: enrolls, signs each entry, sends it until some server answers it,
 * and keeps it until then.
 */
export class Phone {
  readonly id = randomUUID();
  /** IDs of the entries that a server said it has. */
  readonly taken: string[] = [];
  /** Why others were refused. */
  readonly refused: string[] = [];
  readonly #token: string;
  readonly #vehicleId: number;
  readonly #servers: readonly (Running | null)[];
  readonly #everyMs: number;
  #last: { readonly position: number; readonly hash: string } | null = null;
  #isOver = false;
  #running: Promise<void> | null = null;

  constructor(token: string, vehicleId: number, servers: readonly (Running | null)[], everyMs: number) {
    this.#token = token;
    this.#vehicleId = vehicleId;
    this.#servers = servers;
    this.#everyMs = everyMs;
  }

  /** Entries that were answered. */
  get answered(): number {
    return this.taken.length + this.refused.length;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Once what is under way is answered: an entry that was signed and never sent would be a gap. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    const { x, y } = await webcrypto.subtle.exportKey('jwk', keys.publicKey);
    const publicKey = { kty: 'EC', crv: 'P-256', x, y };
    const after = { position: -1, hash: START };
    await this.#untilAnswered('phone', { id: this.id, name: 'Blue', publicKey, after }, () => true);
    for (let n = 0; !this.#isOver; n++) {
      const status = STATUSES[n % STATUSES.length];
      const action =
        n === 0 ? { kind: 'sign-in', vehicleId: String(this.#vehicleId) } : { kind: 'status', status, note: '' };
      const entry = { id: randomUUID(), at: new Date().toISOString(), action };
      const input = { ...entry, proof: await this.#sign(entry, keys.privateKey) };
      const { refusal, result } = await this.#untilAnswered('duty', { inputs: [input] }, body =>
        (body as { outcomes: readonly Outcome[] }).outcomes.find(({ id }) => id === entry.id),
      );
      if (result === 'refused') this.refused.push(refusal ?? '');
      else this.taken.push(entry.id);
      const until = Date.now() + this.#everyMs;
      while (!this.#isOver && Date.now() < until) await sleep(Math.min(this.#everyMs, WAKES_MS));
    }
  }

  async #sign(entry: Entry, key: webcrypto.CryptoKey) {
    const previous = this.#last?.hash ?? START;
    const { hash, position } = nextPhoneLink(phoneChain(this.id), entry, this.#last);
    this.#last = { hash, position };
    const bytes = await webcrypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(hash));
    const signature = Buffer.from(bytes).toString('base64url');
    return { phoneId: this.id, position, previous, at: entry.at, signature };
  }

  /** Asks one server after the other. */
  async #untilAnswered<T>(path: string, body: object, found: (answer: unknown) => T | undefined): Promise<T> {
    for (let turn = this.#vehicleId; ; turn++) {
      const server = this.#servers[turn % this.#servers.length];
      const answer =
        server &&
        (await Promise.race([
          call(server.url, 'POST', `/api/v1/eld/${path}`, { token: this.#token, body }).catch(() => null),
          sleep(ANSWERED_WITHIN_MS, null),
        ]));
      const what = answer?.status === 200 ? found(answer.body) : undefined;
      if (what !== undefined) return what;
      await sleep(AGAIN_MS);
    }
  }
}
