import { type DutyEvent, isDutyEvent, type LogRecord } from '@milepost/eld';

const KM_PER_MILE = 1.609344;

/**
 * How far the vehicles drove between two moments with this driver, in kilometers, from the miles in the records; null
 * if no record of the time has any. Personal use is left out: its records have no miles (Appendix A, 4.7.3). A stretch
 * that crosses a limit counts by its share of time.
 */
export function distanceIn(records: readonly LogRecord[], from: number, to: number): number | null {
  const events = records
    .flatMap(({ event, status }) => (status === 'active' && isDutyEvent(event) ? [event] : []))
    .sort((a, b) => a.at - b.at);
  let miles = 0;
  let isKnown = false;
  for (const [i, event] of events.entries()) {
    if (event.at >= from && event.at < to && event.miles !== null) isKnown = true;
    const next = events[i + 1];
    if (!next || next.at <= from || event.at >= to) continue;
    const driven = milesBetween(event, next);
    if (driven === null || next.at === event.at) continue;
    isKnown = true;
    miles += (driven * (Math.min(next.at, to) - Math.max(event.at, from))) / (next.at - event.at);
  }
  return isKnown ? miles * KM_PER_MILE : null;
}

/** The miles of a record count from the engine’s start: fewer than before means that it was started again. */
function milesBetween(event: DutyEvent, next: DutyEvent): number | null {
  if (event.miles === null || next.miles === null || event.vehicle.powerUnit !== next.vehicle.powerUnit) return null;
  return next.miles >= event.miles ? next.miles - event.miles : next.miles;
}
