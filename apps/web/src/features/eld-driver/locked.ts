import type { MyDuty } from '@milepost/contract';

/** Without a newer word of the server nobody knows whether the vehicle still moves. */
const KNOWN_FOR_MS = 2 * 60_000;

/** While the vehicle moves the phone shows clocks only. */
export const isLocked = ({ vehicle }: MyDuty, heardAtMs: number | null, nowMs: number): boolean =>
  vehicle?.isMoving === true && heardAtMs !== null && nowMs - heardAtMs < KNOWN_FOR_MS;
