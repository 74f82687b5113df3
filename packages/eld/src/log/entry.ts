import { z } from 'zod';
import { certificationEventSchema, dutyEventSchema, recordedEventSchema } from '../event/event.ts';
import { chainNameSchema, entryIdSchema, instantSchema, momentSchema, reasonSchema } from '../event/fields.ts';
import { isZone } from '../local-time.ts';
import { bad, good, type Result } from '../result.ts';

/**
 * The entries of a log, written one after the other and kept forever. Nothing is changed or removed (Appendix A,
 * 4.3.2.8.1; 49 CFR 395.30): an edit is a new entry that refers to the old record, a decision refers to the proposal.
 */

const head = {
  id: entryIdSchema,
  /** The log: `driver:12`, or `unidentified:7` for what vehicle 7 recorded while nobody was signed in. */
  log: chainNameSchema,
  /** When the entry was written; never before the previous entry. */
  recordedAt: instantSchema,
  /** The user's id, or `eld` for what is recorded automatically. */
  by: z.string().min(1).max(64),
};
/** An entry with an event is also in the chain of its device, the vehicle that the event names. */
const onDevice = { ...head, device: chainNameSchema };
const record = entryIdSchema;
const elsewhere = z.strictObject({ log: chainNameSchema, record });
/** Driving taken over from another log: the same status at the same time, and when it ended there. */
const taken = { from: elsewhere, event: dutyEventSchema, until: momentSchema };

export const entrySchema = z.discriminatedUnion('action', [
  /** From here on the log is kept in this home terminal's time. */
  z.strictObject({
    action: z.literal('home'),
    ...head,
    timeZone: z.string().max(64).refine(isZone, 'Unknown time zone.'),
    startOfDay: z.int().min(0).max(1439),
  }),
  /**
   * The vehicle was seen in motion until then: proves driving that no record has ended yet. Written before a manual
   * entry is accepted; it has no event and is not in the output file.
   */
  z.strictObject({ action: z.literal('motion'), ...head, until: momentSchema }),
  /** Recorded automatically, or entered by the driver. */
  z.strictObject({ action: z.literal('record'), ...onDevice, event: recordedEventSchema }),
  /** The device takes back what it recorded before late reports or entries told otherwise. */
  z.strictObject({ action: z.literal('retract'), ...head, record }),
  /** The driver replaces a record; the event's annotation gives the reason. */
  z.strictObject({ action: z.literal('edit'), ...onDevice, replaces: record, event: dutyEventSchema }),
  /** The carrier asks the driver for a change, or (without `replaces`) for a missing record. */
  z.strictObject({
    action: z.literal('propose'),
    ...onDevice,
    replaces: record.nullable(),
    event: dutyEventSchema,
  }),
  z.strictObject({ action: z.literal('accept'), ...head, proposal: record }),
  z.strictObject({ action: z.literal('reject'), ...head, proposal: record }),
  /** The carrier takes a proposal back before the driver has answered. */
  z.strictObject({ action: z.literal('withdraw'), ...head, proposal: record }),
  /** The driver takes over unidentified driving; the other log gets a `release`. */
  z.strictObject({ action: z.literal('assume'), ...onDevice, ...taken }),
  /** The driver starts team driving with a co-driver; null ends it. */
  z.strictObject({ action: z.literal('team'), ...head, at: momentSchema, coDriver: chainNameSchema.nullable() }),
  /** The driver says that driving recorded here was the co-driver’s. Nothing changes until the co-driver agrees. */
  z.strictObject({ action: z.literal('hand-over'), ...head, record, to: chainNameSchema }),
  /** The co-driver agrees, in their own log; the other log gets a `release`. */
  z.strictObject({ action: z.literal('take-over'), ...onDevice, ...taken }),
  /** A driver has taken over the record: from the unidentified driving log, or from a co-driver’s. */
  z.strictObject({ action: z.literal('release'), ...head, record, to: chainNameSchema }),
  /** The driver says that an unidentified record belongs to someone else. */
  z.strictObject({ action: z.literal('decline'), ...head, from: elsewhere }),
  /** A remark on a record, such as the carrier's on unidentified driving (49 CFR 395.32(c)). */
  z.strictObject({ action: z.literal('annotate'), ...head, record, annotation: reasonSchema }),
  z.strictObject({ action: z.literal('certify'), ...onDevice, event: certificationEventSchema }),
]);
export type LogEntry = z.infer<typeof entrySchema>;
export type EntryAction = LogEntry['action'];
export type EntryWithEvent = Extract<LogEntry, { readonly device: string }>;

export const hasEvent = (entry: LogEntry): entry is EntryWithEvent => 'device' in entry;

/** Turns any value into an entry, or a fault that names the field. */
export function readEntry(value: unknown): Result<LogEntry, { readonly field: string; readonly message: string }> {
  const result = entrySchema.safeParse(value);
  if (result.success) return good(result.data);
  const issue = result.error.issues[0];
  return bad({ field: issue?.path.join('.') ?? '', message: issue?.message ?? 'This is not a log entry.' });
}
