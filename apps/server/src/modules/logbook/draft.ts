import type { Composed, DutyEvent, EldEvent, EntryWithEvent, LogEntry } from '@milepost/eld';

/** An event without the fields set by its position in the device’s chain and by the owner’s name. */
export type EventDraft<E extends EldEvent = EldEvent> = E extends DutyEvent
  ? Omit<E, 'sequence' | 'check'>
  : Omit<E, 'sequence'>;

/** Position in the chain and check value come with the writing. */
export function withoutPlaceInChain(event: Composed): EventDraft<Composed> {
  const { sequence: _sequence, ...rest } = event;
  if (!('check' in rest)) return rest;
  const { check: _check, ...unchecked } = rest;
  return unchecked;
}

/**
 * An entry as it is asked for; id, time of writing, sequence id and check value come with its being written. What is done
 * at a desk takes its place in the chain of the vehicle that the event names, so that no two events of a vehicle share a
 * sequence id (Appendix A, 4.4.4.1).
 */
export type EntryDraft = DraftOf<LogEntry>;

type DraftOf<E> = E extends EntryWithEvent
  ? Omit<E, 'id' | 'recordedAt' | 'event' | 'device'> & {
      readonly device: `vehicle:${string}`;
      readonly event: EventDraft<E['event']>;
    }
  : E extends LogEntry
    ? Omit<E, 'id' | 'recordedAt'>
    : never;

/** The records that an entry is about, besides its own. */
export const otherRecordsOf = (entry: EntryDraft | LogEntry): readonly string[] => {
  switch (entry.action) {
    case 'edit':
      return [entry.replaces];
    case 'propose':
      return entry.replaces === null ? [] : [entry.replaces];
    case 'accept':
    case 'reject':
    case 'withdraw':
      return [entry.proposal];
    case 'hand-over':
    case 'release':
    case 'retract':
    case 'annotate':
      return [entry.record];
    default:
      return [];
  }
};
