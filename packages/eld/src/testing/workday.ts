import type { DutyEvent } from '../event/event.ts';
import type { LogEntry } from '../log/entry.ts';
import type { RecordLog } from '../log/record-log.ts';
import { at, duty, entry, recorded } from './entries.ts';

/** On February 3: on duty 8:00, driving 8:30 to 12:00, lunch until 13:00, driving until 16:00. */
export function workday(log: RecordLog): Record<'on' | 'drive' | 'lunch' | 'second' | 'end', string> {
  const entries = {
    on: recorded(duty('ON', '8:00')),
    drive: recorded(duty('D', '8:30')),
    lunch: recorded(duty('OFF', '12:00')),
    second: recorded(duty('D', '13:00')),
    end: recorded(duty('ON', '16:00', { origin: 'automatic' })),
  };
  for (const one of Object.values(entries)) {
    const refusal = log.append(one);
    if (refusal) throw new Error(refusal);
  }
  return Object.fromEntries(Object.entries(entries).map(([name, { id }]) => [name, id])) as ReturnType<typeof workday>;
}

export const reason = { annotation: 'Pressed the wrong button' };
export const edit = (replaces: string, event: DutyEvent, clock = '20:00'): LogEntry =>
  entry({ action: 'edit', replaces, event }, { recordedAt: at(clock), by: 'driver-12' });
