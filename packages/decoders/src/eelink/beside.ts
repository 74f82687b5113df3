import type { Celsius, Metres } from '@milepost/units';
import type { TrackerEvent } from '../events.ts';

/** What a package has beside its position. */
export interface Beside {
  ignition?: boolean | null;
  odometer?: Metres | null;
  temperature?: Celsius | null;
  gsm?: number | null;
  event?: TrackerEvent | null;
  readonly attributes: Record<string, string | number | boolean>;
}

export const nothingBeside = (): Beside => ({ attributes: {} });
