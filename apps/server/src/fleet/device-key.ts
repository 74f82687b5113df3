import { createHash, randomBytes } from 'node:crypto';

/**
 * A tracker's MQTT password: 160 random bits in hexadecimal, which every tracker's configuration accepts. It is
 * random enough to be stored with a fast hash (ASVS 5.0 11.4.2 is about passwords chosen by people).
 */
export const newDeviceKey = (): string => randomBytes(20).toString('hex');

export const hashDeviceKey = (key: string): Buffer => createHash('sha256').update(key).digest();
