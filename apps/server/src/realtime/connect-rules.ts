import { deviceTopic } from '@milepost/contract';
import type { ConnectPacket } from 'aedes';

export const MQTT_LIMITS = {
  connections: 20_000,
  connectWithinMs: 10_000,
  /** A subscription to a few thousand vehicles in one packet fits. */
  packetBytes: 256 * 1024,
  /** The longest keepalive granted; after one and a half times that in silence, the connection ends [MQTT-3.1.2-24]. */
  keepaliveS: 4800,
  idleMs: 2 * 3_600_000,
  /** Connections of one API token at a time. */
  ofToken: 20,
  /** Unread acknowledgements of a tracker. */
  unreadBytes: 65_536,
} as const;

/**
 * Looks at a CONNECT before anybody is asked for a password, and bends it to our rules: no session outlives its
 * connection [MQTT-3.1.2-6], so that none has to be kept, and no connection lives without a keepalive. Answers why it is
 * refused, or null.
 */
export function acceptConnect(packet: ConnectPacket, connections: number): string | null {
  if (connections >= MQTT_LIMITS.connections) return 'too many connections';
  const { will } = packet;
  if (will && (will.retain || will.topic !== deviceTopic(packet.clientId))) return 'a will on another topic';
  packet.clean = true;
  packet.keepalive = Math.min(packet.keepalive || MQTT_LIMITS.keepaliveS, MQTT_LIMITS.keepaliveS);
  return null;
}
