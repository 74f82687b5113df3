import { type DeviceMessage, deviceTopic } from '@milepost/contract';

/**
 * What a device topic carried. `other` is an action that is not about positions: `positionPacket` is ignored, the
 * confirmations of commands and anything unknown are logged [R7.33].
 */
export type Received =
  | { readonly kind: 'message'; readonly message: DeviceMessage }
  | { readonly kind: 'other'; readonly action: string }
  | { readonly kind: 'unreadable' };

const UNREADABLE: Received = { kind: 'unreadable' };

/**
 * Reads a message with a light guard. The server has built and checked it by the contract; here only what would make
 * the receiver fail is looked at, because a large fleet sends hundreds of these a second.
 */
export function readDeviceMessage(topic: string, text: string): Received {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
  if (typeof parsed !== 'object' || parsed === null) return UNREADABLE;
  const fields = parsed as Readonly<Record<string, unknown>>;
  const isOwn = typeof fields.imei === 'string' && topic === deviceTopic(fields.imei);
  switch (fields.action) {
    case 'positionReport':
      return isOwn &&
        typeof fields.lat === 'number' &&
        typeof fields.lon === 'number' &&
        typeof fields.reportDate === 'string' &&
        typeof fields.reportTime === 'string'
        ? { kind: 'message', message: parsed as DeviceMessage }
        : UNREADABLE;
    case 'vehicleState':
      return isOwn && typeof fields.live === 'object' && fields.live !== null
        ? { kind: 'message', message: parsed as DeviceMessage }
        : UNREADABLE;
    default:
      return typeof fields.action === 'string' ? { kind: 'other', action: fields.action } : UNREADABLE;
  }
}
