import type { Box } from '../fences/fence-index.ts';
import type { RuleFix } from './rule.ts';

/** What rules look at, as columns. */
export interface PastColumns {
  readonly time: ArrayLike<number>;
  readonly lat: ArrayLike<number>;
  readonly lon: ArrayLike<number>;
  readonly speed: ArrayLike<number | null>;
  readonly ignition: ArrayLike<boolean | null>;
  readonly temperature: ArrayLike<number | null>;
  readonly supply: ArrayLike<number | null>;
  readonly battery: ArrayLike<number | null>;
  readonly fuel: ArrayLike<number | null>;
}

/** Reliable fixes of some hours in the order of time; a column is only unpacked when it is looked at. */
export interface Past {
  readonly count: number;
  readonly lastAt: number;
  /** Degrees, of all fixes, or of more. */
  readonly box: Box;
  column<Name extends keyof PastColumns>(name: Name): PastColumns[Name];
  fix(i: number): RuleFix;
  /** Columns are hardly needed any more; they are unpacked again if they are. */
  forget(): void;
}
