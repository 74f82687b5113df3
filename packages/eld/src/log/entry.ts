import { z } from 'zod';
import { certificationEventSchema, dutyEventSchema, recordedEventSchema } from '../event/event.ts';
import { chainNameSchema, entryIdSchema, instantSchema, momentSchema, reasonSchema } from '../event/fields.ts';
import { isZone } from '../local-time.ts';
import { bad, good, type Result } from '../result.ts';

/**
 * What is written into a log, one entry after the other, for ever. Nothing is changed or removed (Appendix A,
 * 4.3.2.8.1; 49 CFR 395.30): an edit is a new entry that points at the old record, a decision points at the proposal.
 */

const head = {
  id: entryIdSchema,
  /** Whose log: `driver:12`, or `unidentified:7` for what vehicle 7 recorded while nobody was signed in. */
  log: chainNameSchema,
  /** When it was written down; never before the entry before. */
  recordedAt: instantSchema,
  /** Who did it: a user's id; `eld` for what is recorded automatically. */
  by: z.string().min(1).max(64),
};
/** An entry with an event has a place in the chain of its device, the vehicle that the event names, too. */
const onDevice = { ...head, device: chainNameSchema };
const record = entryIdSchema;
const elsewhere = z.strictObject({ log: chainNameSchema, record });
/** What is taken over from another log: the same status at the same time, and until when it lasted there. */
const taken = { from: elsewhere, event: dutyEventSchema, until: momentSchema };

export const entrySchema = z.discriminatedUnion('action', [
  /** From here on the log is kept in the time of this home terminal. */
  z.strictObject({
    action: z.literal('home'),
    ...head,
    timeZone: z.string().max(64).refine(isZone, 'Unknown time zone.'),
    startOfDay: z.int().min(0).max(1439),
  }),
  /**
   * The vehicle was seen in motion until then: proof of driving that no record ends yet. Written before a person’s entry
   * is taken; no event, and in no output file.
   */
  z.strictObject({ action: z.literal('motion'), ...head, until: momentSchema }),
  /** Recorded automatically, or entered by the driver. */
  z.strictObject({ action: z.literal('record'), ...onDevice, event: recordedEventSchema }),
  /** The driver replaces a record; the event's annotation says why. */
  z.strictObject({ action: z.literal('edit'), ...onDevice, replaces: record, event: dutyEventSchema }),
  /** The carrier asks the driver for a change, or (without `replaces`) for a record that is missing. */
  z.strictObject({
    action: z.literal('propose'),
    ...onDevice,
    replaces: record.nullable(),
    event: dutyEventSchema,
  }),
  z.strictObject({ action: z.literal('accept'), ...head, proposal: record }),
  z.strictObject({ action: z.literal('reject'), ...head, proposal: record }),
  /** The driver takes over driving that was recorded to nobody; the other log gets `release`. */
  z.strictObject({ action: z.literal('assume'), ...onDevice, ...taken }),
  /** From a moment on the driver drives in a team with another; null ends it. */
  z.strictObject({ action: z.literal('team'), ...head, at: momentSchema, coDriver: chainNameSchema.nullable() }),
  /** The driver says that driving recorded here was the co-driver’s. Nothing changes until that one agrees. */
  z.strictObject({ action: z.literal('hand-over'), ...head, record, to: chainNameSchema }),
  /** The co-driver agrees, in their own log; the other gets `release`. */
  z.strictObject({ action: z.literal('take-over'), ...onDevice, ...taken }),
  /** A driver has taken the record over: from the log of unidentified driving, or from a co-driver’s. */
  z.strictObject({ action: z.literal('release'), ...head, record, to: chainNameSchema }),
  /** The driver says that an unidentified record is somebody else's. */
  z.strictObject({ action: z.literal('decline'), ...head, from: elsewhere }),
  /** A remark on a record; the carrier's on unidentified driving (49 CFR 395.32(c)). */
  z.strictObject({ action: z.literal('annotate'), ...head, record, annotation: reasonSchema }),
  z.strictObject({ action: z.literal('certify'), ...onDevice, event: certificationEventSchema }),
]);
export type LogEntry = z.infer<typeof entrySchema>;
export type EntryAction = LogEntry['action'];
export type EntryWithEvent = Extract<LogEntry, { readonly device: string }>;

export const hasEvent = (entry: LogEntry): entry is EntryWithEvent => 'device' in entry;

/** The door from any value to an entry. The fault names the field. */
export function readEntry(value: unknown): Result<LogEntry, { readonly field: string; readonly message: string }> {
  const result = entrySchema.safeParse(value);
  if (result.success) return good(result.data);
  const issue = result.error.issues[0];
  return bad({ field: issue?.path.join('.') ?? '', message: issue?.message ?? 'This is not a log entry.' });
}
