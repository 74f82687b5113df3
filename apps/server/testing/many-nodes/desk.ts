import { expect, vi } from 'vitest';
import { TEST_CONTROL_PASSWORD } from '../control-password.ts';
import { call, type SignedIn } from '../http-server.ts';
import type { TestVehicle } from '../ingest.ts';
import type { WebhookReceiver } from '../webhook-receiver.ts';
import type { Reporter } from './reporter.ts';
import type { Servers } from './servers.ts';

/** After each fault, every tracker is let in again. */
const WAIT = { timeout: 120_000, interval: 100 };

/** What a user does at one of the servers, which may be away, or killed meanwhile. */
export class Desk {
  readonly #servers: Servers;
  readonly #token: string;

  constructor(servers: Servers, { token }: Pick<SignedIn, 'token'>) {
    this.#servers = servers;
    this.#token = token;
  }

  /** The answer's body; null if there is none. */
  post(n: number, path: string, body: object): Promise<unknown> {
    return this.#servers.post(n, path, this.#token, body);
  }

  /** Resolves when the first server knows a vehicle, and with it those that were added before. */
  async untilKnown(vehicle: TestVehicle | undefined): Promise<void> {
    const read = async (): Promise<string> => {
      const url = this.#servers.running[0]?.url ?? '';
      return JSON.stringify((await call(url, 'GET', '/api/v1/device', { token: this.#token })).body);
    };
    await vi.waitFor(async () => expect(await read()).toContain(vehicle?.imei), WAIT);
  }

  /** Critical alerts are delivered there. */
  async addWebhook({ url }: WebhookReceiver): Promise<void> {
    const hook = { name: 'Guard', url: `${url}/hook`, severities: ['critical'] };
    expect(await this.post(0, 'webhook', hook)).toMatchObject({ name: 'Guard' });
  }

  /** One command: the engine of a vehicle that stands is stopped, that of another may run. */
  async control(n: number, { isParked, vehicle: { imei } }: Reporter): Promise<void> {
    const wanted = { action: isParked ? 'engineStop' : 'engineResume', imei };
    const confirm = { ...wanted, controlPassword: TEST_CONTROL_PASSWORD };
    const { grant } = ((await this.post(n, 'confirm_control_pass', confirm)) ?? {}) as { grant?: string };
    if (grant) await this.post(n, 'command', { ...wanted, grant, reason: 'found' });
  }
}

/** Resolves when each of them, which report every so many milliseconds, had more than so many further reports acknowledged. */
export async function haveReported(reporters: readonly Reporter[], more: number, everyMs = 0): Promise<void> {
  const before = reporters.map(({ acknowledged }) => acknowledged.length);
  await vi.waitFor(
    () => {
      const waiting = reporters.filter((of, n) => of.acknowledged.length <= (before[n] ?? 0) + more);
      expect(waiting.map(({ vehicle }) => vehicle.imei)).toEqual([]);
    },
    { ...WAIT, timeout: WAIT.timeout + (more + 2) * everyMs },
  );
}
