import type { BoardRow, ShownClocks, ShownStatus } from '@milepost/contract';

export const CLOCKS = ['drive', 'window', 'break', 'cycle'] as const;
export type ClockName = (typeof CLOCKS)[number] | 'onDuty';

/** Statuses that count as work; all others are rest. */
const WORKING: readonly ShownStatus[] = ['D', 'ON', 'YM'];
export const isWorking = (status: ShownStatus): boolean => WORKING.includes(status);

type Ticking = Pick<BoardRow, 'status' | 'at' | 'clocks' | 'exempt'>;

/**
 * The clocks at a later moment while the status stays the same: driving uses up all of them, other work uses shift,
 * on-duty time and cycle; exempt farm work uses none. Only the server computes what rest restores; it is asked every minute.
 */
export function clocksAt({ status, at, clocks, exempt }: Ticking, nowMs: number): ShownClocks {
  if (exempt === 'agriculture') return clocks;
  const passedS = Math.max(0, (nowMs - Date.parse(at)) / 1000);
  const uses = (names: readonly ClockName[]) => {
    const used = (name: ClockName, leftS: number) => (names.includes(name) ? Math.max(0, leftS - passedS) : leftS);
    return {
      drive: { ...clocks.drive, leftS: used('drive', clocks.drive.leftS) },
      window: { ...clocks.window, leftS: used('window', clocks.window.leftS) },
      onDuty: clocks.onDuty && { ...clocks.onDuty, leftS: used('onDuty', clocks.onDuty.leftS) },
      break: clocks.break && { ...clocks.break, leftS: used('break', clocks.break.leftS) },
      cycle: { ...clocks.cycle, leftS: used('cycle', clocks.cycle.leftS) },
    };
  };
  if (status === 'D') return uses(['drive', 'window', 'onDuty', 'break', 'cycle']);
  return isWorking(status) ? uses(['window', 'onDuty', 'cycle']) : clocks;
}

/** The clock with the least time left, and that time in seconds. */
export function tightest(clocks: ShownClocks): { readonly name: ClockName; readonly leftS: number } {
  const all: { readonly name: ClockName; readonly leftS: number }[] = [];
  for (const name of [...CLOCKS, 'onDuty'] as const) {
    const clock = clocks[name];
    if (clock) all.push({ name, leftS: clock.leftS });
  }
  return all.reduce((least, clock) => (clock.leftS < least.leftS ? clock : least));
}
