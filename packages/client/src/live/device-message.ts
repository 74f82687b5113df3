import { type DeviceMessage, deviceTopic } from '@milepost/contract';

/**
 * A message on a device topic. `other` is an action without a position: `positionPacket` is ignored, command
 * confirmations and unknown actions are logged [R7.33].
 */
export type Received =
  | { readonly kind: 'message'; readonly message: DeviceMessage }
  | { readonly kind: 'other'; readonly action: string }
  | { readonly kind: 'unreadable' };

const UNREADABLE: Received = { kind: 'unreadable' };

/**
 * Reads a message with minimal checks. The server has already validated it against the contract, and a large fleet
 * sends hundreds of these a second, so only what would break the receiver is checked here.
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
