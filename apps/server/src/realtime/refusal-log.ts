import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { LogThrottle } from '../limits/log-throttle.ts';

const REFUSED = ['connection', 'sign-in', 'publish', 'subscription'] as const;
type Refused = (typeof REFUSED)[number];

/** Anyone can cause refusals at any rate and under any name; that must not fill the log. */
const LOGGED_EVERY_MS = 600_000;
const LINES = 100;
/** An IMEI, or a user's ID and tab; of a topic, the relevant part. */
const CHARACTERS = 60;

/** Refusals of the broker: all are counted, and the first per client and kind is logged. */
export class RefusalLog {
  readonly #log: Logger;
  readonly #counter: Counter;
  readonly #throttles = new Map(REFUSED.map(what => [what, new LogThrottle(LOGGED_EVERY_MS, LINES)]));

  constructor(log: Logger, metrics: Registry) {
    this.#log = log;
    this.#counter = new Counter({
      name: 'milepost_mqtt_refusals_total',
      help: 'What the broker refused',
      labelNames: ['what'],
      registers: [metrics],
    });
  }

  note(what: Refused, client: string, refusal: string, topic?: string): void {
    this.#counter.inc({ what });
    const clientId = client.slice(0, CHARACTERS);
    const reason = refusal.slice(0, 2 * CHARACTERS);
    if (!this.#throttles.get(what)?.allows(`${clientId} ${reason}`)) return;
    const about = topic === undefined ? {} : { topic: topic.slice(0, CHARACTERS) };
    this.#log.info({ clientId, ...about, refusal: reason }, `Refused an MQTT ${what}`);
  }
}
