import type { LogDay } from '@milepost/contract';
import { type LogRecord, SESSION_CODES } from '@milepost/eld';
import { iso } from './shown.ts';

/**
 * When the driver was in which vehicle between two moments, by the devices of the records, in order and without overlap.
 * A vehicle counts from its first record until the driver signs out of it or another vehicle's record follows.
 */
export function drivesIn(records: readonly LogRecord[], from: number, to: number): LogDay['drives'] {
  const drives: { deviceId: string; from: number; to: number }[] = [];
  let current: { readonly deviceId: string; readonly from: number } | null = null;
  const end = (at: number): void => {
    if (current && current.from < to && at > from) {
      drives.push({ ...current, from: Math.max(current.from, from), to: Math.min(at, to) });
    }
    current = null;
  };
  const active = records.filter(({ status }) => status === 'active').sort((a, b) => a.event.at - b.event.at);
  for (const { device, event } of active) {
    const deviceId = /^vehicle:(\d+)$/.exec(device)?.[1];
    if (deviceId === undefined || deviceId === '0') continue;
    const isOut = event.type === 5 && event.code === SESSION_CODES.logout;
    if (isOut || (current as { deviceId: string } | null)?.deviceId !== deviceId) end(event.at);
    if (!isOut) current ??= { deviceId, from: event.at };
  }
  end(to);
  return drives
    .filter(drive => drive.to > drive.from)
    .map(drive => ({ ...drive, from: iso(drive.from), to: iso(drive.to) }));
}
