import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../http-server.ts';
import type { Running } from './servers.ts';

const STATUSES = ['ON', 'SB', 'ON', 'OFF'] as const;
const PAUSE_MS = 1500;
/** As a phone does that hears nothing. */
const ANSWERED_WITHIN_MS = 15_000;

interface Outcome {
  readonly id: string;
  readonly result: string;
}

/** A phone of a driver who is signed in to a vehicle: sends each entry until some server answers it, and keeps it until then. */
export class Phone {
  /** IDs of the entries that a server said it has. */
  readonly taken: string[] = [];
  readonly #token: string;
  readonly #vehicleId: number;
  readonly #servers: readonly (Running | null)[];
  #isOver = false;
  #running: Promise<void> | null = null;

  constructor(token: string, vehicleId: number, servers: readonly (Running | null)[]) {
    this.#token = token;
    this.#vehicleId = vehicleId;
    this.#servers = servers;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const status = STATUSES[n % STATUSES.length];
      const action = n === 0 ? { kind: 'sign-in', vehicleId: String(this.#vehicleId) } : { kind: 'status', status };
      const input = { id: randomUUID(), at: new Date().toISOString(), action };
      for (let turn = n; !this.#isOver; turn++) {
        const outcome = await this.#send(turn, input);
        if (outcome && outcome.result !== 'refused') this.taken.push(input.id);
        if (outcome) break;
        await sleep(200);
      }
      await sleep(PAUSE_MS);
    }
  }

  async #send(turn: number, input: { readonly id: string }): Promise<Outcome | null> {
    const server = this.#servers[turn % this.#servers.length];
    if (!server) return null;
    const body = { inputs: [input] };
    const answer = await Promise.race([
      call(server.url, 'POST', '/api/v1/eld/duty', { token: this.#token, body }).catch(() => null),
      sleep(ANSWERED_WITHIN_MS, null),
    ]);
    const { outcomes = [] } = (answer?.status === 200 ? answer.body : {}) as { outcomes?: readonly Outcome[] };
    return outcomes.find(({ id }) => id === input.id) ?? null;
  }
}
