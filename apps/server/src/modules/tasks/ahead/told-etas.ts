import type { TaskEta } from '@milepost/contract';
import type { Bus } from '../../../bus/bus.ts';

type Told = readonly [taskId: number, eta: TaskEta];

const SUBJECT = 'task-etas';
const AT_ONCE = 500;
/** The leading server looks at every task once in five minutes; what is much older is of none, or was not heard. */
const KEPT_MS = 12 * 60_000;

/** When drivers will be at their tasks, as the server that leads tells the others after each look. */
export class ToldEtas {
  readonly #bus: Bus;
  readonly #etas = new Map<number, { readonly eta: TaskEta; readonly untilMs: number }>();

  constructor(bus: Bus) {
    this.#bus = bus;
    bus.listen(SUBJECT, (payload, from) => {
      if (from !== bus.nodeId) this.#hear(JSON.parse(payload) as Told[], performance.now());
    });
  }

  /** Null if nothing was heard of it lately. */
  etaOf(taskId: number): TaskEta | null {
    const told = this.#etas.get(taskId);
    return told && told.untilMs > performance.now() ? told.eta : null;
  }

  /** From now on this server announces ETAs. */
  tell(etas: readonly Told[]): void {
    this.#etas.clear();
    if (!this.#bus.isShared) return;
    for (let from = 0; from < etas.length; from += AT_ONCE) {
      this.#bus.publish(SUBJECT, JSON.stringify(etas.slice(from, from + AT_ONCE)));
    }
  }

  #hear(told: readonly Told[], nowMs: number): void {
    for (const [taskId, eta] of told) this.#etas.set(taskId, { eta, untilMs: nowMs + KEPT_MS });
    for (const [taskId, { untilMs }] of this.#etas) if (untilMs <= nowMs) this.#etas.delete(taskId);
  }
}
