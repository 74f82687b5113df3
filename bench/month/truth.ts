import type { Story, Tap } from './story.ts';

/** From `at` on, in seconds of the story. */
export interface Stretch {
  readonly at: number;
  readonly status: 'OFF' | 'SB' | 'ON' | 'D' | 'PC' | 'YM';
}

/** A vehicle counts as stopped after three seconds; six minutes later its driver is on duty (AppA 4.3.1.2, 4.4.1.2). */
const STOPPED = 3;
const UNANSWERED = 6 * 60;

interface Cab {
  wheel: number | null;
  rider: number | null;
  isMoving: boolean;
  /** When driving ends unless something happens before. */
  ends: number | null;
  /** The engine was restarted in personal use, and the driver has not answered. */
  isAsked: boolean;
}

/**
 * What each log must show, counted from what happened and nothing else: by driver, and by vehicle for driving that
 * nobody was signed in for. Unlike the recorder it knows everything at once, in order, so there is no lateness in it.
 */
export function truthOf({ drivers, happenings, seconds, vehicles }: Story): {
  readonly drivers: readonly (readonly Stretch[])[];
  readonly vehicles: readonly (readonly Stretch[])[];
} {
  const logs = Array.from({ length: drivers }, (): Stretch[] => []);
  const unidentified = Array.from({ length: vehicles }, (): Stretch[] => []);
  const cabs = Array.from(
    { length: vehicles },
    (): Cab => ({ wheel: null, rider: null, isMoving: false, ends: null, isAsked: false }),
  );
  const stateOf = (log: Stretch[]) => log.at(-1)?.status ?? 'OFF';
  const set = (log: Stretch[] | undefined, at: number, status: Stretch['status']): void => {
    // What lasts for no time at all, such as the end of driving in the second in which it goes on, is no stretch.
    if (log?.at(-1)?.at === at) log.pop();
    if (log && (log.length === 0 ? status !== 'OFF' : stateOf(log) !== status)) log.push({ at, status });
  };
  const end = (vehicle: number, until: number): void => {
    const cab = cabs[vehicle];
    if (!cab || cab.ends === null || cab.ends > until) return;
    const log = cab.wheel === null ? unidentified[vehicle] : logs[cab.wheel];
    if (log && stateOf(log) === 'D') set(log, cab.ends, 'ON');
    cab.ends = null;
  };

  const tapped = (cab: Cab, vehicle: number, driver: number, at: number, tap: Tap): void => {
    const log = logs[driver] ?? [];
    const isWheel = cab.wheel === driver;
    switch (tap.kind) {
      case 'sign-in':
        if (tap.asCoDriver) cab.rider = driver;
        else {
          if (stateOf(unidentified[vehicle] ?? []) === 'D') set(unidentified[vehicle], at, 'ON');
          Object.assign(cab, { wheel: driver, rider: null, ends: null });
        }
        return;
      case 'sign-out':
        set(log, at, tap.status);
        if (isWheel) Object.assign(cab, { wheel: null, rider: null, ends: null, isAsked: false });
        else cab.rider = null;
        return;
      case 'status':
        if (isWheel && cab.isMoving) return;
        set(log, at, tap.status);
        if (isWheel) Object.assign(cab, { ends: null, isAsked: false });
        return;
      case 'confirm':
        if (cab.isAsked) cab.isAsked = false;
        else if (cab.ends !== null) cab.ends = at + UNANSWERED;
        return;
      case 'co-driver': {
        const before = logs[cab.wheel ?? -1] ?? [];
        if (stateOf(before) === 'D') set(before, at, 'ON');
        Object.assign(cab, { wheel: cab.rider, rider: cab.wheel, ends: null });
        return;
      }
    }
  };

  for (const one of happenings) {
    const { at, vehicle } = one;
    const cab = cabs[vehicle];
    if (!cab) continue;
    end(vehicle, at);
    const log = (cab.wheel === null ? unidentified[vehicle] : logs[cab.wheel]) ?? [];
    const state = stateOf(log);
    if (one.kind === 'tap') tapped(cab, vehicle, one.driver, at, one.tap);
    else if (one.kind === 'engine') {
      if (one.on && state === 'YM') set(log, at, 'ON');
      if (one.on && state === 'PC') cab.isAsked = true;
    } else if (one.kind === 'go') {
      Object.assign(cab, { isMoving: true, ends: null });
      if ((state !== 'PC' && state !== 'YM') || cab.isAsked) set(log, at, 'D');
      cab.isAsked = false;
    } else Object.assign(cab, { isMoving: false, ends: at + STOPPED + UNANSWERED });
  }
  for (let vehicle = 0; vehicle < vehicles; vehicle++) end(vehicle, seconds);
  return { drivers: logs, vehicles: unidentified };
}
