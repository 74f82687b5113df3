import { ascii, isText, Reader } from '../bytes.ts';
import { LOCATION_BYTES, readLocation } from './location.ts';
import type { MessageReader } from './reports.ts';

const RESULTS = ['match', 'notCompared', 'timeout', 'unavailable', 'noConnection', 'noPicture', 'nobody'] as const;

/**
 * 0x0E10 ("MettaX DashCam Protocol" 1.9.0.1, §10.2): the face at the wheel beside the driver's: result, threshold,
 * likeness in hundredths of a percent, occasion, the driver's number, location, picture.
 */
export const comparison: MessageReader = (body, { versioned }) => {
  const result = body.u8();
  body.skip(1);
  const driverLikeness = body.u16() / 100;
  body.skip(1);
  const number = body.take8(Math.min(body.u8(), body.remaining));
  const place = readLocation(new Reader(body.take8(Math.min(LOCATION_BYTES, body.remaining))), versioned);
  if (place?.kind !== 'position') return null;
  const attributes = { ...place.attributes, driverComparison: RESULTS[result] ?? String(result), driverLikeness };
  const isMatch = result === 0 && number.length > 0 && isText(number);
  const identified = isMatch ? { event: place.event ?? 'driverIdentified', rfid: ascii(number) } : {};
  return [{ ...place, ...identified, attributes }];
};
