import type { Command, CommandReason } from '@milepost/contract';

type Step = Command['steps'][number];

export const step = (state: Step['state'], reason: CommandReason | null = null, rest: Partial<Step> = {}): Step => ({
  at: '2026-11-19T19:02:11.000Z',
  state,
  reason,
  by: null,
  interlock: null,
  ...rest,
});

/** A command that stops an engine, in the state of its last step. */
export function command(steps: readonly Step[], rest: Partial<Command> = {}): Command {
  const last = steps.findLast(({ state }) => !state.startsWith('effect'))?.state ?? 'queued';
  return {
    id: '0192a0c4-0000-7000-8000-000000000001',
    imei: '356307042441013',
    deviceId: '1',
    deviceName: '4118',
    action: 'engineStop',
    label: 'Stop engine',
    category: 'control',
    params: {},
    mode: 'nextStop',
    reason: 'Reported stolen',
    state: last as Command['state'],
    waitingFor: null,
    effect: 'awaited',
    createdAt: '2026-11-19T19:02:11.000Z',
    expiresAt: '2026-11-19T19:12:11.000Z',
    createdBy: { id: '1', name: 'Nora Kessler' },
    confirmedBy: null,
    sent: 0,
    text: null,
    answer: null,
    steps: [...steps],
    ...rest,
  };
}
