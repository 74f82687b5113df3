import { randomUUID } from 'node:crypto';
import type { Command } from '@milepost/contract';

/** A command that was just requested. */
export function aCommand(
  { id, imei }: { readonly id: number; readonly imei: string },
  fields: Partial<Command> = {},
): Command {
  return {
    id: randomUUID(),
    imei,
    deviceId: String(id),
    deviceName: `Unit ${imei}`,
    action: 'getGps',
    label: 'GPS',
    category: 'read',
    params: {},
    mode: null,
    reason: null,
    state: 'queued',
    waitingFor: 'tracker',
    effect: null,
    createdAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    createdBy: null,
    confirmedBy: null,
    sent: 0,
    text: null,
    answer: null,
    steps: [],
    ...fields,
  };
}
