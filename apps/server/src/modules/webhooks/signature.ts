import { createHmac, randomBytes } from 'node:crypto';

/** 256 bits, with a beginning by which tools that look for leaked secrets know it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/** `t=1764100000,v1=…`: the time in seconds, and the HMAC-SHA-256 of `time.body` in hexadecimal. docs/webhooks.md */
export function signatureOf(secret: string, timeS: number, body: string): string {
  return `t=${timeS},v1=${createHmac('sha256', secret).update(`${timeS}.${body}`).digest('hex')}`;
}
