import { epochMs } from '@milepost/units';
import type { ProtocolName } from '../index.ts';
import { protocols } from '../index.ts';
import { missingIn } from '../possible.ts';
import type { DecodedMessage, PositionMessage } from '../protocol.ts';
import { anyPosition, type Dialect, type Dialects, type Random, type Slot } from './dialect.ts';

/** One report in one of the ways of a dialect. */
export interface Variant {
  /** Which ways were taken, for the report of a failure. */
  readonly ways: string;
  readonly dialect: Dialect;
  readonly position: PositionMessage;
  readonly bytes: Uint8Array;
}

type Choice = (slot: Slot, at: number) => number;

function variantOf(dialect: Dialect, position: PositionMessage, slots: readonly Slot[], choice: Choice): Variant {
  const chosen = slots.map(choice);
  const parts = slots.map(({ ways }, i) => ways[chosen[i] ?? 0] ?? new Uint8Array(0));
  const taken = slots.flatMap(({ name }, i) => (chosen[i] === 0 ? [] : [`${name} ${chosen[i]}`]));
  return {
    ways: `${dialect.name}: ${taken.join(', ') || 'as documented'}`,
    dialect,
    position,
    bytes: dialect.seal(parts, position),
  };
}

/** As documented, then each piece in each of its other ways, one at a time. */
export function eachWay(dialect: Dialect, random: Random): Variant[] {
  const position = anyPosition(random);
  const slots = dialect.slots(position, random);
  const others = slots.flatMap(({ ways }, at) =>
    ways.slice(1).map((_, way) => variantOf(dialect, position, slots, (_slot, i) => (i === at ? way + 1 : 0))),
  );
  return [variantOf(dialect, position, slots, () => 0), ...others];
}

/** Mixes of one dialect for one position, each piece as documented or in any other way. */
export function anyWays({ dialects }: Dialects, random: Random, count: number): Variant[] {
  const dialect = dialects[Math.floor(random() * dialects.length)];
  if (dialect === undefined) return [];
  const position = anyPosition(random);
  const slots = dialect.slots(position, random);
  return Array.from({ length: count }, () =>
    variantOf(dialect, position, slots, ({ ways }) => (random() < 0.5 ? 0 : Math.floor(random() * ways.length))),
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
  const scan = stream?.nextFrame(bytes);
  if (scan?.status !== 'frame' || scan.end !== bytes.length) throw new Error(`is no frame: ${JSON.stringify(scan)}`);
  return stream?.decode(bytes, { imei: IMEI, receivedAt }).messages ?? [];
}

const SECONDS_UNDERWAY = 2;
/** Ten-thousandths of a minute, and more than any protocol here rounds to. */
const SAME_PLACE = 2e-4;

function isSame(position: PositionMessage, sent: PositionMessage): boolean {
  return (
    position.time === sent.time &&
    Math.abs(position.lat - sent.lat) < SAME_PLACE &&
    Math.abs(position.lon - sent.lon) < SAME_PLACE
  );
}

/** No position that is none, and no fix lost. Throws where that does not hold. */
export function checkVariant(name: ProtocolName, { over }: Dialects, { bytes, dialect, position }: Variant): void {
  const messages = decoded(name, over, bytes, position.time + SECONDS_UNDERWAY * 1000);
  const positions = messages.filter(message => message.kind === 'position');
  for (const found of positions) {
    const missing = missingIn(found);
    if (missing !== null) throw new Error(`a position with an impossible ${missing}: ${JSON.stringify(found)}`);
  }
  if (dialect.brings === 'fix' && !positions.some(found => isSame(found, position))) {
    throw new Error(`lost ${JSON.stringify(position)}: ${JSON.stringify(messages)}`);
  }
  if (dialect.brings === 'no fix' && positions.length > 0) {
    throw new Error(`a position that nobody sent: ${JSON.stringify(positions)}`);
  }
}
