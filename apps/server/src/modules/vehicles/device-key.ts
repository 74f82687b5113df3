import { createHash, randomBytes } from 'node:crypto';

/**
 * A tracker's MQTT password: 160 random bits, in hexadecimal because every tracker's configuration takes that. Random
 * enough that a fast hash keeps it (ASVS 5.0 11.4.2 is about passwords that people choose).
 */
export const newDeviceKey = (): string => randomBytes(20).toString('hex');

export const hashDeviceKey = (key: string): Buffer => createHash('sha256').update(key).digest();
