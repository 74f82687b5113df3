import type { DutyAction } from '@milepost/contract';
import { advanceRecorder, newRecorder, type RecorderInput, type RecorderState } from '@milepost/eld';
import { epochMs, fromMilesPerHour, metresPerSecond } from '@milepost/units';
import type { FixRow } from '../../tracks/fixes.ts';
import type { SignInTerms } from '../logbook/recorder/vehicle-input.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Standing for longer than that is no delivery: the driver rests, or has finished. */
const RESTS_AFTER_MS = 22 * MINUTE_MS;
/** Whoever has rested for that long begins another shift when the engine starts. */
const NIGHT_MS = 7 * HOUR_MS;
const MOVING = fromMilesPerHour(5);
const ALLOWED: SignInTerms['mayIndicate'] = { 'personal-use': true, 'yard-move': true };

export interface DemoInput {
  readonly atMs: number;
  readonly action: DutyAction;
  readonly terms: SignInTerms | null;
}

/** What sets one demo driver apart. */
export interface DemoHabits {
  readonly vehicleId: number;
  readonly load: Extract<DutyAction, { kind: 'load' }>;
  /** Rests in the sleeper berth. */
  readonly sleeps: boolean;
  /** Signs out at the first rest after this moment, and forgets to sign in for the first drive after it. */
  readonly forgetsAfterMs: number | null;
}

/**
 * What a demo driver presses next, by what the recorder knows: on duty when the engine starts after a night, rest when
 * the vehicle has stood for a while. The rest follows from the vehicle's motion. Null: nothing.
 */
export function pressedNext(
  state: RecorderState,
  { sleeps }: Pick<DemoHabits, 'sleeps'>,
): { readonly atMs: number; readonly status: 'ON' | 'OFF' | 'SB' } | null {
  const { driver, engineOn, lastLogAt, motion, standingSince, status } = state;
  if (driver === null || motion.moving) return null;
  if (status === 'D' || status === 'ON') {
    // An inspection before the first drive is no rest, as long as the engine runs.
    const since = Math.max(standingSince ?? 0, status === 'ON' ? (lastLogAt ?? 0) : 0);
    return standingSince === null ? null : { atMs: since + RESTS_AFTER_MS, status: sleeps ? 'SB' : 'OFF' };
  }
  const hasSlept = lastLogAt === null || state.at - lastLogAt >= NIGHT_MS;
  return engineOn && hasSlept ? { atMs: state.at, status: 'ON' } : null;
}

/** What the driver pressed while the vehicle reported these fixes, in order; the first is the sign-in. */
export function pressedDuring(fixes: readonly FixRow[], habits: DemoHabits, nowMs: number): DemoInput[] {
  const inputs: DemoInput[] = [];
  let state = newRecorder(epochMs(fixes[0]?.fix_at.getTime() ?? 0));
  let forgets = habits.forgetsAfterMs;
  let isForgetting = false;
  let hasDriven = false;
  const press = (atMs: number, action: DutyAction, input: RecorderInput, terms: SignInTerms | null = null): void => {
    const step = advanceRecorder(state, input);
    if (step.refusal !== null) return;
    state = step.state;
    inputs.push({ atMs, action, terms });
  };
  const signIn = (atMs: number): void => {
    const terms = { status: hasDriven ? ('ON' as const) : ('OFF' as const), mayIndicate: ALLOWED };
    const action = { kind: 'sign-in', vehicleId: String(habits.vehicleId) } as const;
    press(atMs, action, { kind: 'sign-in', at: epochMs(atMs), driver: 'driver', ...terms }, terms);
    inputs.push({ atMs, action: habits.load, terms: null });
  };
  const pressUntil = (untilMs: number): void => {
    const next = pressedNext(state, habits);
    if (!next || next.atMs > untilMs) return;
    const atMs = Math.max(next.atMs, state.at);
    if (next.status !== 'ON' && forgets !== null && atMs > forgets) {
      forgets = null;
      isForgetting = true;
      hasDriven = false;
      const status = next.status;
      press(atMs, { kind: 'status', status, note: '' }, { kind: 'select-status', at: epochMs(atMs), status });
      press(atMs + MINUTE_MS, { kind: 'sign-out', status }, { kind: 'sign-out', at: epochMs(atMs + MINUTE_MS) });
      return;
    }
    const action = { kind: 'status', status: next.status, note: '' } as const;
    press(atMs, action, { kind: 'select-status', at: epochMs(atMs), status: next.status });
  };
  for (const fix of fixes) {
    if (fix.doubts !== 0) continue;
    const at = epochMs(fix.fix_at.getTime());
    pressUntil(at - 1);
    const engineOn = fix.ignition ?? ((fix.speed ?? 0) >= MOVING || state.engineOn === true);
    const isSample = fix.valid && fix.speed !== null;
    const input: RecorderInput = isSample
      ? { kind: 'sample', at, speed: metresPerSecond(fix.speed ?? 0), engineOn }
      : { kind: 'tick', at };
    state = advanceRecorder(state, input).state;
    if (state.motion.moving) hasDriven = true;
    const stands = !state.motion.moving && state.standingSince !== null;
    const mayReturn = !isForgetting || (hasDriven && stands && at - (state.standingSince ?? at) >= 7 * MINUTE_MS);
    if (state.driver === null && !state.motion.moving && mayReturn) {
      isForgetting = false;
      signIn(at);
    }
    pressUntil(at);
  }
  pressUntil(nowMs);
  return inputs.filter(({ atMs }) => atMs < nowMs);
}
