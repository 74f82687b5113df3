import type { RecordStatus } from '../event/codes.ts';
import type { EldEvent } from '../event/event.ts';

/** A record with the status that the entries behind it have given it. */
export interface LogRecord {
  readonly id: string;
  readonly event: EldEvent;
  readonly status: RecordStatus;
  readonly device: string;
  /** Who made it: a user’s id, or `eld`. */
  readonly by: string;
  readonly recordedAt: number;
  /** The record that it replaces, or would replace. */
  readonly replaces: string | null;
  /** The last remark: the event’s own annotation until somebody adds another. */
  readonly annotation: string;
  /** Who added it: a user’s id; null while it is the event’s own. */
  readonly annotatedBy: string | null;
  /**
   * From when its driving was recorded automatically, in this record or in one that it replaces; null where it was not.
   * Such driving stays.
   */
  readonly automaticFrom: number | null;
  /** The log of the driver who has taken it over. */
  readonly releasedTo: string | null;
}

/** How often a day was certified, and whether it was changed since. */
export interface CertifiedDay {
  readonly certifications: number;
  readonly changedSince: boolean;
}
