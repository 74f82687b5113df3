import type { RecordStatus } from '../event/codes.ts';
import type { EldEvent } from '../event/event.ts';

/** A record with the status that later entries have given it. */
export interface LogRecord {
  readonly id: string;
  readonly event: EldEvent;
  readonly status: RecordStatus;
  readonly device: string;
  /** Who created it: a user’s id, or `eld`. */
  readonly by: string;
  readonly recordedAt: number;
  /** The record that it replaces, or would replace. */
  readonly replaces: string | null;
  /** The latest remark; until someone adds one, the event’s own annotation. */
  readonly annotation: string;
  /** The user’s id of the person who added it; null while it is the event’s own. */
  readonly annotatedBy: string | null;
  /**
   * The start of its automatically recorded driving, from this record or one that it replaces; null if there is none.
   * Such driving must be kept.
   */
  readonly automaticFrom: number | null;
  /** The log of the driver who has taken over the record. */
  readonly releasedTo: string | null;
  /** A proposal that the carrier took back: its status is `change-rejected`, but the driver never answered. */
  readonly isWithdrawn: boolean;
}

/** How often a day was certified, and whether it has changed since. */
export interface CertifiedDay {
  readonly certifications: number;
  readonly changedSince: boolean;
}
