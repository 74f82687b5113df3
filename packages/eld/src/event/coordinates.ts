import { type Degrees, type Metres, toMiles } from '@milepost/units';

/**
 * Where an event happened, as recorded (Appendix A, 4.3.1.6, 7.31, 7.33): degrees with two decimals, one in personal
 * use (4.7.3), or a letter in place of both if unknown.
 */
export interface Coordinates {
  readonly lat: string;
  readonly lon: string;
}

export interface PlaceKnowledge {
  /** The last valid fix; null if there has been none since the device started. */
  readonly fix: { readonly lat: Degrees; readonly lon: Degrees } | null;
  /** Distance driven since that fix. */
  readonly since: Metres;
  /** A positioning compliance malfunction is active. */
  readonly malfunction: boolean;
  /** The driver has typed the location. */
  readonly typedByDriver: boolean;
  /** Personal use: precision of about ten miles. */
  readonly reduced: boolean;
}

/** A fix remains valid for this many miles of driving (4.6.1.4). */
const FIX_GOOD_FOR_MILES = 5;
const MOST_MILES_SINCE = 6;

/** `E` takes precedence over `M`, and `M` over `X` (7.31). */
export function coordinatesOf(known: PlaceKnowledge): Coordinates {
  if (known.malfunction) return both('E');
  if (known.fix !== null && toMiles(known.since) <= FIX_GOOD_FOR_MILES) {
    const decimals = known.reduced ? 1 : 2;
    return { lat: known.fix.lat.toFixed(decimals), lon: known.fix.lon.toFixed(decimals) };
  }
  return both(known.typedByDriver ? 'M' : 'X');
}

const both = (letter: string): Coordinates => ({ lat: letter, lon: letter });

/** Whole miles since the last valid fix; 6 means six or more (7.9). */
export const milesSinceFix = (since: Metres): number =>
  Math.min(MOST_MILES_SINCE, Math.max(0, Math.floor(toMiles(since))));
