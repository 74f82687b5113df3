import * as registered from '../protocols.ts';
import type { Registration } from '../registration.ts';
import { explainJson } from './json.ts';
import type { FramePart } from './walk.ts';

const explained: Readonly<Record<string, Registration>> = registered;

/**
 * Explains a frame of any protocol, part by part. Messages published over MQTT, which has no decoder here, are JSON.
 */
export const explainFrame = (protocol: string, frame: Uint8Array): readonly FramePart[] =>
  Object.hasOwn(explained, protocol) ? (explained[protocol]?.explain(frame) ?? []) : explainJson(frame);
