import type { MyDuty } from '@milepost/contract';

/** After this long without news from the server, we don't know whether the vehicle is still moving. */
const KNOWN_FOR_MS = 2 * 60_000;

/**
 * While the vehicle is moving, the phone of the driver at the wheel shows only the clocks; a co-driver may edit
 * (Appendix A, 4.3.2).
 */
export const isLocked = ({ vehicle }: MyDuty, heardAtMs: number | null, nowMs: number): boolean =>
  vehicle?.isMoving === true && vehicle.isDriving && heardAtMs !== null && nowMs - heardAtMs < KNOWN_FOR_MS;
