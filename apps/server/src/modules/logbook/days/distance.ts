import { DUTY_CODES, type DutyEvent, INDICATION_CODES, isDutyEvent, type LogRecord } from '@milepost/eld';

const KM_PER_MILE = 1.609344;

/**
 * How far the vehicles drove between two moments with this driver, in kilometers, from the miles in the records; null
 * if no record of the time has any. Only driving and yard moves count: what the odometer counts in between is someone
 * else's driving, or the rounding to whole miles. Personal use has no miles (Appendix A, 4.7.3). A stretch that crosses
 * a limit counts by its share of time.
 */
export function distanceIn(records: readonly LogRecord[], from: number, to: number): number | null {
  const events = records
    .flatMap(({ event, status }) => (status === 'active' && isDutyEvent(event) ? [event] : []))
    .sort((a, b) => a.at - b.at);
  let miles = 0;
  let isKnown = false;
  let isMoving = false;
  for (const [i, event] of events.entries()) {
    if (event.at >= from && event.at < to && event.miles !== null) isKnown = true;
    isMoving = movesAfter(event, isMoving);
    const next = events[i + 1];
    if (!next || next.at <= from || event.at >= to) continue;
    const driven = milesBetween(event, next);
    if (driven === null || next.at === event.at) continue;
    isKnown = true;
    if (!isMoving) continue;
    miles += (driven * (Math.min(next.at, to) - Math.max(event.at, from))) / (next.at - event.at);
  }
  return isKnown ? miles * KM_PER_MILE : null;
}

/** Whether the driver is driving, or moves the vehicle in a yard, from this record on; others leave that as it is. */
function movesAfter({ code, type }: DutyEvent, before: boolean): boolean {
  if (type === 1) return code === DUTY_CODES.D;
  return type === 3 ? code === INDICATION_CODES['yard-move'] : before;
}

/** The miles of a record count from the engine’s start: fewer than before means that it was started again. */
function milesBetween(event: DutyEvent, next: DutyEvent): number | null {
  if (event.miles === null || next.miles === null || event.vehicle.powerUnit !== next.vehicle.powerUnit) return null;
  return next.miles >= event.miles ? next.miles - event.miles : next.miles;
}
