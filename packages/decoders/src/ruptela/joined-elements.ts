import type { PositionMessage } from '../protocol.ts';

/** Texts that come in several elements of eight bytes; `*` ends one, the last may be filled up with zeros. */
const TEXTS: readonly (readonly [name: string, keys: readonly string[], form: RegExp])[] = (
  [
    ['vin', [104, 105, 106], /^[A-Z0-9]{17}$/],
    ['vin', [939, 940, 941], /^[A-Z0-9]{17}$/],
    ['vin', [123, 124, 125], /^[A-Z0-9]{17}$/],
    ['vin', [152, 153, 154], /^[A-Z0-9]{17}$/],
    ['trailerVin', [614, 615, 616], /^[A-Z0-9]{17}$/],
    ['driver1Id', [126, 127], /^[A-Z0-9]{6,16}$/i],
    ['driver1Id', [155, 156], /^[A-Z0-9]{6,16}$/i],
    ['driver2Id', [128, 129], /^[A-Z0-9]{6,16}$/i],
    ['driver2Id', [157, 158], /^[A-Z0-9]{6,16}$/i],
    ['registration', [167, 168], /^[\x20-\x7E]{2,16}$/],
  ] as const
).map(([name, ids, form]) => [name, ids.map(id => `io${id}`), form]);
/** "Not available" is written in these letters. */
const NOTHING = /^[F0 ]*$/;

const textOf = (digits: string): string =>
  digits
    .replaceAll(/../g, byte => String.fromCharCode(Number.parseInt(byte, 16)))
    .replace(/[\0*].*$/s, '')
    .trim();

/** Puts together what several elements of a record say: texts, the tower. A tachograph's card is the driver's. */
export function withJoined(position: PositionMessage): PositionMessage {
  const { attributes } = position;
  let joined: Record<string, string | number | boolean> | null = null;
  for (const [name, keys, form] of TEXTS) {
    const [first = ''] = keys;
    if (attributes[first] === undefined) continue;
    const text = textOf(keys.map(key => attributes[key] ?? '').join(''));
    if (!form.test(text) && !NOTHING.test(text)) continue;
    joined ??= { ...attributes };
    for (const key of keys) delete joined[key];
    if (!NOTHING.test(text)) joined[name] ??= text;
  }
  const cell = cellIn(attributes);
  if (cell !== null) joined = { ...(joined ?? attributes), cell };
  if (joined === null) return position;
  const card = typeof joined.driver1Id === 'string' ? joined.driver1Id : null;
  return { ...position, rfid: position.rfid ?? card, attributes: joined };
}

/** The operator is country and network, 24602 or 310410. */
function cellIn(attributes: PositionMessage['attributes']): string | null {
  const { areaCode, cellId } = attributes;
  if (areaCode === undefined || cellId === undefined) return null;
  const operator = String(attributes.operator ?? '');
  if (!/^[2-79]\d{4,5}$/.test(operator)) return null;
  return `${operator.slice(0, 3)}-${Number(operator.slice(3))}-${areaCode}-${cellId}`;
}
