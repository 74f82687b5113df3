import type { DutyEvent } from '../event/event.ts';
import type { LogRecord } from './record.ts';

/** The records of a log, with what is asked of them at each entry: a log may have thousands. */
export class Records {
  /** In order of writing. */
  readonly #all = new Map<string, LogRecord>();
  /** Null if they have to be looked for again. */
  #statuses: LogRecord[] | null = [];
  #lastAutomaticAt: number | null = Number.NEGATIVE_INFINITY;

  get(id: string): LogRecord | undefined {
    return this.#all.get(id);
  }

  /** In order of writing. */
  all(): LogRecord[] {
    return [...this.#all.values()];
  }

  /** The active changes of duty status in order of time; those of one moment in order of writing. */
  get statuses(): readonly LogRecord[] {
    this.#statuses ??= this.all()
      .filter(isStatus)
      .sort((a, b) => a.event.at - b.event.at);
    return this.#statuses;
  }

  /** When the last active record was made that the device made by itself; minus infinity if there is none. */
  get lastAutomaticAt(): number {
    this.#lastAutomaticAt ??= this.all()
      .filter(isAutomatic)
      .reduce((last, { event }) => Math.max(last, event.at), Number.NEGATIVE_INFINITY);
    return this.#lastAutomaticAt;
  }

  /** Adds a record, or changes one: never its event. */
  set(record: LogRecord): void {
    const before = this.#all.get(record.id);
    this.#all.set(record.id, record);
    if (isAutomatic(record)) {
      if (this.#lastAutomaticAt !== null) this.#lastAutomaticAt = Math.max(this.#lastAutomaticAt, record.event.at);
    } else if (before && isAutomatic(before) && before.event.at === this.#lastAutomaticAt) {
      this.#lastAutomaticAt = null;
    }
    const statuses = this.#statuses;
    if (!statuses) return;
    if (before && isStatus(before)) {
      const at = statuses.indexOf(before);
      if (isStatus(record)) statuses[at] = record;
      else statuses.splice(at, 1);
    } else if (isStatus(record)) {
      // One that was written before has its place among those of the same moment.
      if (before) this.#statuses = null;
      else statuses.splice(statuses.findLastIndex(({ event }) => event.at <= record.event.at) + 1, 0, record);
    }
  }
}

const isStatus = ({ event, status }: LogRecord): boolean => status === 'active' && event.type === 1;

const isAutomatic = ({ event, status }: LogRecord): boolean =>
  status === 'active' && event.type <= 2 && (event as DutyEvent).origin === 'automatic';
