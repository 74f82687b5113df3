import { accountZone } from '../../base/account-settings.ts';
import { endOfDay, startOfDay } from '../../format/time.ts';
import { paths } from '../../paths.ts';

/** URL of a vehicle's replay at a moment, with the account's whole day around it. */
export function replayAt(vehicleId: string, atMs: number): string {
  const zone = accountZone();
  return paths.replay({ vehicles: [vehicleId], fromMs: startOfDay(atMs, zone), toMs: endOfDay(atMs, zone), atMs });
}

const DAY_MS = 86_400_000;
const AROUND_MS = 30 * 60_000;

/** URL of the evidence pack for a vehicle: at most a day, plus half an hour before and after. */
export const evidenceOf = (vehicleId: string, fromMs: number, toMs: number): string =>
  paths.replay({
    vehicles: [vehicleId],
    fromMs: fromMs - AROUND_MS,
    toMs: Math.min(toMs, fromMs + DAY_MS) + AROUND_MS,
    atMs: fromMs,
    pack: true,
  });
