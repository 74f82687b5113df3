import { type Metres, metres } from '@milepost/units';

/** A receiver's usual error, by which HDOP multiplies. */
const METRES_OF_HDOP = 5;

/** Meters within which a fix is, by its HDOP; null if the tracker doesn't say. */
export const accuracyOf = (hdop: number | null): Metres | null =>
  hdop === null || hdop <= 0 ? null : metres(hdop * METRES_OF_HDOP);
