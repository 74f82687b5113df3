import { type DutyEvent, type RecordLog, takeable } from '@milepost/eld';
import type { EntryDraft, EventDraft } from './draft.ts';

/**
 * What a driver writes to claim unidentified driving (49 CFR 395.32): the driving, the status that ended it where the
 * driver's log has none at that moment, and that both have left the other log. To be written in one go.
 *
 * @param by the driver's user id
 * @returns null where there is no such driving, or it is not over yet
 */
export function claimDrafts(
  unidentified: { readonly name: string; readonly log: RecordLog },
  driver: { readonly name: string; readonly log: RecordLog },
  record: string,
  by: string,
): readonly EntryDraft[] | null {
  const taken = takeable(unidentified.log.records(), record);
  if (!taken) return null;
  const { event, until, end } = taken;
  const isEnded = driver.log
    .records()
    .some(({ event: { type, at }, status }) => type === 1 && status === 'active' && at === until);
  const claimed: Claimed[] = [{ record, event, until }];
  if (end && !isEnded) claimed.unshift({ record: end.id, event: end.event as DutyEvent, until });
  const assumed = claimed.map(
    (one): EntryDraft => ({
      action: 'assume',
      log: driver.name,
      device: deviceOf(unidentified.log, one.record),
      by,
      from: { log: unidentified.name, record: one.record },
      event: draftOf(one.event),
      until: one.until,
    }),
  );
  // The driving first: it lasts until its end, which must be in the log by then.
  const released = claimed
    .toReversed()
    .map((one): EntryDraft => ({ action: 'release', log: unidentified.name, by, record: one.record, to: driver.name }));
  return [...assumed, ...released];
}

interface Claimed {
  readonly record: string;
  readonly event: DutyEvent;
  readonly until: number;
}

function draftOf({ sequence: _sequence, check: _check, ...event }: DutyEvent): EventDraft<DutyEvent> {
  return { ...event, origin: 'unidentified' };
}

const deviceOf = (log: RecordLog, record: string): `vehicle:${string}` => {
  const device = log.record(record)?.device ?? '';
  return `vehicle:${device.replace(/^vehicle:/, '')}`;
};
