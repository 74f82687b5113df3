import { epochMs } from '@milepost/units';
import { eventCheck } from '../check-values.ts';
import { fileText } from '../file-text.ts';
import { fileDateAndTime } from '../local-time.ts';
import type { DutyEvent } from './event.ts';

export type UncheckedDutyEvent = Omit<DutyEvent, 'check'>;

/** Miles and engine hours as the file writes them; blank when unknown. */
export const fileMiles = (miles: number | null): string => (miles === null ? '' : String(miles));
export const fileHours = (hours: number | null): string => (hours === null ? '' : hours.toFixed(1));

/**
 * Adds the event's check value (Appendix A, 4.4.5.1), computed over what the file will show, so names are folded to
 * ASCII first. `userName` is the log owner's; `zone` is the home terminal's, the time zone of the file.
 */
export function withCheck(event: UncheckedDutyEvent, userName: string, zone: string): DutyEvent {
  return { ...event, check: checkOf(event, userName, zone) };
}

export function checkOf(event: UncheckedDutyEvent, userName: string, zone: string): string {
  const { type, code, at, miles, hours, lat, lon, vehicle } = event;
  return eventCheck({
    type: String(type),
    code: String(code),
    ...fileDateAndTime(epochMs(at), zone),
    miles: fileMiles(miles),
    hours: fileHours(hours),
    lat,
    lon,
    powerUnit: fileText(vehicle.powerUnit, 10),
    userName: fileText(userName, 60),
  });
}
