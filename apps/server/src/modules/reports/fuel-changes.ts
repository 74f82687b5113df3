/** A fuel level that rose or fell faster than an engine can explain. */
export interface FuelChange {
  readonly kind: 'fill' | 'drop';
  readonly fromMs: number;
  readonly toMs: number;
  /** Percent of the tank. */
  readonly before: number;
  readonly after: number;
  readonly lat: number;
  readonly lon: number;
}

export interface FuelReading {
  readonly timeMs: number;
  readonly fuel: number;
  readonly ignition: boolean | null;
  readonly lat: number;
  readonly lon: number;
}

/** Readings further apart say nothing of how fast it went. */
const LONGEST_STEP_MS = 30 * 60_000;
/** A tank is full, or empty, sooner than this. */
const LONGEST_CHANGE_MS = 45 * 60_000;
/** Less than this is the fuel moving in the tank. */
const LEAST_STEP = 1;

/**
 * Fills and drops of at least so many percent of the tank, oldest first. A drop counts only while the engine was off,
 * because a running engine burns fuel; where the tracker doesn't report the ignition, drops are not known.
 */
export function fuelChanges(readings: readonly FuelReading[], least: number): FuelChange[] {
  const levels = withoutSpikes(readings);
  const changes: FuelChange[] = [];
  let run: { readonly sign: number; readonly first: FuelReading; last: FuelReading; isOff: boolean } | null = null;
  const close = (): void => {
    if (!run) return;
    const { first, isOff, last, sign } = run;
    run = null;
    const change = last.fuel - first.fuel;
    if (Math.abs(change) < least || (sign < 0 && !isOff)) return;
    changes.push({
      kind: sign > 0 ? 'fill' : 'drop',
      fromMs: first.timeMs,
      toMs: last.timeMs,
      before: first.fuel,
      after: last.fuel,
      lat: last.lat,
      lon: last.lon,
    });
  };
  for (let i = 1; i < levels.length; i++) {
    const [before, now] = [levels[i - 1] as FuelReading, levels[i] as FuelReading];
    const step = now.fuel - before.fuel;
    const sign = Math.abs(step) < LEAST_STEP ? 0 : Math.sign(step);
    const isLong = now.timeMs - before.timeMs > LONGEST_STEP_MS;
    if (sign === 0 || isLong) {
      // A pause of a few minutes at the pump doesn't end it; silence does.
      if (isLong || (run && now.timeMs - run.last.timeMs > LONGEST_STEP_MS)) close();
      continue;
    }
    if (run && (run.sign !== sign || now.timeMs - run.first.timeMs > LONGEST_CHANGE_MS)) close();
    run ??= { sign, first: before, last: now, isOff: before.ignition === false };
    run.last = now;
    run.isOff &&= now.ignition === false;
  }
  close();
  return changes;
}

/** Each level as the middle one of three: a single wrong reading is none. */
function withoutSpikes(readings: readonly FuelReading[]): FuelReading[] {
  return readings.map((reading, i) => {
    const [before, after] = [readings[i - 1], readings[i + 1]];
    if (!before || !after) return reading;
    const [, middle] = [before.fuel, reading.fuel, after.fuel].sort((a, b) => a - b);
    return { ...reading, fuel: middle as number };
  });
}
