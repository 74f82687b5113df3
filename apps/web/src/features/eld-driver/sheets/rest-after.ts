import type { MyDuty } from '@milepost/contract';

const REST = { OFF: 'OFF', PC: 'OFF', SB: 'SB' } as const;

/**
 * The rest in the driver's log that a drive interrupts: it goes on after the drive. Claimed driving ends as it was
 * recorded, on duty, which would last until the driver's next entry, days later perhaps. Null if their log says
 * something else of that time.
 */
export function restAfter(
  { dutyLog }: Pick<MyDuty, 'dutyLog'>,
  fromMs: number,
  toMs: number,
): { readonly status: 'OFF' | 'SB'; readonly at: string } | null {
  const at = toMs + 1000;
  const around = dutyLog.segments.find(
    ({ end, start }) => Date.parse(start) < fromMs && (end === null || Date.parse(end) > at),
  );
  const status = around && REST[around.status as keyof typeof REST];
  return status ? { status, at: new Date(at).toISOString() } : null;
}
