import { epochMs } from '@milepost/units';
import type { ProtocolName } from '../index.ts';
import { protocols } from '../index.ts';
import { areValues, isMotion, missingIn } from '../possible.ts';
import type { DecodedMessage, PositionMessage, StreamProtocol } from '../protocol.ts';
import { join } from '../testing/stream.ts';
import { anyPosition, type Dialect, type Dialects, type Random, type Slot } from './dialect.ts';

/** One report in one variant of a dialect. */
export interface Variant {
  /** The variants chosen, to report with a failure. */
  readonly choices: string;
  readonly dialect: Dialect;
  readonly position: PositionMessage;
  readonly bytes: Uint8Array;
}

type Choice = (slot: Slot, at: number) => number;

function variantOf(dialect: Dialect, position: PositionMessage, slots: readonly Slot[], choice: Choice): Variant {
  const chosen = slots.map(choice);
  const parts = slots.map(({ alternatives }, i) => alternatives[chosen[i] ?? 0] ?? new Uint8Array(0));
  const taken = slots.flatMap(({ name }, i) => (chosen[i] === 0 ? [] : [`${name} ${chosen[i]}`]));
  return {
    choices: `${dialect.name}: ${taken.join(', ') || 'as documented'}`,
    dialect,
    position,
    bytes: dialect.seal(parts, position),
  };
}

/** The documented form, then each variant of each piece, one at a time. */
export function eachVariant(dialect: Dialect, random: Random): Variant[] {
  const position = anyPosition(random);
  const slots = dialect.slots(position, random);
  const others = slots.flatMap(({ alternatives }, at) =>
    alternatives
      .slice(1)
      .map((_, alternative) => variantOf(dialect, position, slots, (_slot, i) => (i === at ? alternative + 1 : 0))),
  );
  return [variantOf(dialect, position, slots, () => 0), ...others];
}

/** Random combinations of one dialect's variants for one position. */
export function randomVariants({ dialects }: Dialects, random: Random, count: number): Variant[] {
  const dialect = dialects[Math.floor(random() * dialects.length)];
  if (dialect === undefined) return [];
  const position = anyPosition(random);
  const slots = dialect.slots(position, random);
  return Array.from({ length: count }, () =>
    variantOf(dialect, position, slots, ({ alternatives }) =>
      random() < 0.5 ? 0 : Math.floor(random() * alternatives.length),
    ),
  );
}

const IMEI = '352093081452251';

function decoded(name: ProtocolName, over: Dialects['over'], bytes: Uint8Array, at: number): readonly DecodedMessage[] {
  const { stream, datagram, http } = protocols[name];
  const receivedAt = epochMs(at);
  if (over === 'http') {
    const text = new TextDecoder().decode(bytes);
    const posted = text.startsWith('{');
    const [method, query, body] = posted ? ['POST', '', text] : ['GET', text, ''];
    const contentType = posted ? 'application/json' : null;
    return http?.decodeRequest({ method, query, contentType, body }, receivedAt) ?? [];
  }
  if (over === 'datagram') return datagram?.decodeDatagram(bytes, receivedAt).messages ?? [];
  if (!stream) return [];
  checkFraming(stream, bytes, at);
  return stream.decode(bytes, { imei: IMEI, receivedAt }).messages;
}

/** Checks that a frame ends in the same place whether it comes alone, before another one, or in two pieces. */
function checkFraming({ nextFrame }: StreamProtocol, bytes: Uint8Array, at: number): void {
  const cut = 1 + (at % (bytes.length - 1));
  const whole = nextFrame(bytes);
  const before = nextFrame(join([bytes, bytes]));
  const piece = nextFrame(bytes.subarray(0, cut));
  for (const [what, scan] of Object.entries({ whole, before })) {
    if (scan.status === 'frame' && scan.end === bytes.length) continue;
    throw new Error(`${what}: is no frame of ${bytes.length}: ${JSON.stringify(scan)}`);
  }
  if (piece.status !== 'more') throw new Error(`${cut} of ${bytes.length} bytes: ${JSON.stringify(piece)}`);
}

const SECONDS_UNDERWAY = 2;
/** In degrees: more than any protocol's rounding, such as ten-thousandths of a minute. */
const SAME_PLACE = 2e-4;

function isSame(position: PositionMessage, sent: PositionMessage): boolean {
  return (
    position.time === sent.time &&
    Math.abs(position.lat - sent.lat) < SAME_PLACE &&
    Math.abs(position.lon - sent.lon) < SAME_PLACE
  );
}

/** Throws if a fix is lost or a position is impossible. */
export function checkVariant(name: ProtocolName, { over }: Dialects, { bytes, dialect, position }: Variant): void {
  const messages = decoded(name, over, bytes, position.time + SECONDS_UNDERWAY * 1000);
  const positions = messages.filter(message => message.kind === 'position');
  for (const found of positions) {
    const missing = missingIn(found);
    if (missing !== null) throw new Error(`a position with an impossible ${missing}: ${JSON.stringify(found)}`);
    if (!isMotion(found)) throw new Error(`an impossible course or speed: ${JSON.stringify(found)}`);
    if (!areValues(found)) throw new Error(`an impossible value: ${JSON.stringify(found)}`);
  }
  if (dialect.brings === 'fix' && !positions.some(found => isSame(found, position))) {
    throw new Error(`lost ${JSON.stringify(position)}: ${JSON.stringify(messages)}`);
  }
  if (dialect.brings === 'no fix' && positions.length > 0) {
    throw new Error(`a position that was not sent: ${JSON.stringify(positions)}`);
  }
}
