/** Topics of the MQTT broker [R7.33, R7.34]; without schemas, so that the browser's worker needs no zod. */

export const deviceTopic = (imei: string): string => `device/${imei}`;
export const userTopic = (imei: string): string => `user/${imei}`;

/** `device/{imei}`: reports of a vehicle. `user/{imei}`: messages to its tracker. */
export const TOPIC_KINDS = ['device', 'user'] as const;

const TOPIC = new RegExp(`^(${TOPIC_KINDS.join('|')})/(\\d{15})$`);
export type Topic = { readonly kind: (typeof TOPIC_KINDS)[number]; readonly imei: string };

/**
 * Parses a topic name or filter; null for anything but `device/{imei}` and `user/{imei}` (wildcards are not allowed).
 */
export function parseTopic(topic: string): Topic | null {
  const match = TOPIC.exec(topic);
  return match ? { kind: match[1] as Topic['kind'], imei: match[2] as string } : null;
}
