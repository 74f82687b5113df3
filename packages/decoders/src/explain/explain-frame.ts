import * as registered from '../protocols.ts';
import type { Registration } from '../registration.ts';
import { explainJson } from './json.ts';
import type { FramePart } from './walk.ts';

const explained: Readonly<Record<string, Registration>> = registered;

/** A frame of any protocol, piece by piece. What trackers publish over MQTT, which is no protocol of these, is JSON. */
export const explainFrame = (protocol: string, frame: Uint8Array): readonly FramePart[] =>
  Object.hasOwn(explained, protocol) ? (explained[protocol]?.explain(frame) ?? []) : explainJson(frame);
