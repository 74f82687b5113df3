import { ascii, hex, isText, Reader } from '../bytes.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { asStored, LOCATION_BYTES, readLocation } from './location.ts';
import type { Packet } from './packet.ts';
import { readTime } from './time.ts';

/**
 * Reads a tracker's message by its id (JT/T 808-2013 §8). The result does not include the login, which comes before it;
 * null if the body does not fit the id.
 */
export type MessageReader = (body: Reader, packet: Packet) => DecodedMessage[] | null;

export const status = (attributes: Attributes, event: string | null = null): DecodedMessage[] => [
  { kind: 'status', time: null, event, attributes },
];
const reply = (text: string, reference: number): DecodedMessage[] => [{ kind: 'reply', text, reference }];

const gbk = new TextDecoder('gbk');
export const textOf = (bytes: Uint8Array): string =>
  (isText(bytes) ? ascii(bytes) : gbk.decode(bytes)).replaceAll('\0', '').trim();
const sized = (body: Reader): Uint8Array => body.take8(Math.min(body.u8(), body.remaining));
/** Only what the tracker fills in. */
const filled = (values: Readonly<Record<string, string>>): Attributes =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

const INSERTED = 1;
const REMOVED = 2;

/**
 * Table 41: card inserted or removed, when, whether it could be read, the driver's name, license, its issuer and the day
 * on which it expires; since 2019 also the number of the identity card. In 2011 it starts with the name.
 */
export const driver: MessageReader = (body, { versioned }) => {
  const state = body.u8();
  if (state > REMOVED) return driverOf2011(new Reader(body.bytes, body.at - 1, body.end));
  const driverCard = state === INSERTED;
  const time = readTime(body);
  if (body.overrun) return null;
  if (!driverCard || body.u8() !== 0) return [{ kind: 'status', time, event: null, attributes: { driverCard } }];
  const driverName = textOf(sized(body));
  const driverLicence = ascii(body.take8(Math.min(20, body.remaining)));
  const driverLicenceIssuer = textOf(sized(body));
  const expires = hex(body.take8(Math.min(4, body.remaining)));
  const driverLicenceExpires = /^20\d{6}$/.test(expires) ? expires.replace(/^(....)(..)/, '$1-$2-') : '';
  const driverId = versioned ? ascii(body.take8(Math.min(20, body.remaining))) : '';
  const values = filled({ driverName, driverLicence, driverLicenceIssuer, driverLicenceExpires, driverId });
  return [{ kind: 'status', time, event: 'driverIdentified', attributes: { driverCard, ...values } }];
};

function driverOf2011(body: Reader): DecodedMessage[] | null {
  const driverName = textOf(sized(body));
  const driverId = ascii(body.take8(20));
  const driverLicence = ascii(body.take8(40));
  if (body.overrun) return null;
  const driverLicenceIssuer = textOf(sized(body));
  return status(filled({ driverName, driverId, driverLicence, driverLicenceIssuer }), 'driverIdentified');
}

const UPGRADES = ['done', 'failed', 'cancelled'];

/** 0x0108: the part that was upgraded, and the result. */
export const upgrade: MessageReader = body => {
  body.skip(1);
  const result = body.u8();
  return body.overrun ? null : status({ upgrade: UPGRADES[result] ?? result });
};

/** 0x0301: an event of the list that the platform gave to the tracker. */
export const listedEvent: MessageReader = body => {
  const eventCode = body.u8();
  return body.overrun ? null : status({ eventCode }, 'button');
};

/** 0x0302: the driver's answer to a question. */
export const answer: MessageReader = body => {
  const reference = body.u16();
  const chosen = body.u8();
  return body.overrun ? null : reply(`answer ${chosen}`, reference);
};

/** 0x0303: the driver asks for a service, or cancels it. */
export const service: MessageReader = body => {
  const infoType = body.u8();
  const infoWanted = body.u8() === 1;
  return body.overrun ? null : status({ infoType, infoWanted });
};

const MOST_BYTES = 512;

/** 0x0700: data of the driving recorder (GB/T 19056), as it comes. */
export const recorder: MessageReader = body => {
  const reference = body.u16();
  const command = hex(body.take8(1));
  return body.overrun ? null : reply(`${command} ${hex(body.rest().subarray(0, MOST_BYTES))}`.trim(), reference);
};

const MOST_IDENTIFIERS = 64;
const CAN_ITEM_BYTES = 12;
/** The upper three bits of an identifier are the channel, the kind of frame and how it was collected. */
const IDENTIFIER = 0x1fffffff;

/** 0x0705: CAN frames: their number, the time of day of the first, and of each its identifier and eight bytes. */
export const canFrames: MessageReader = body => {
  body.skip(2 + 5);
  const attributes = framesIn(body);
  return body.overrun ? null : status(attributes);
};

function framesIn(body: Reader): Attributes {
  const attributes: Record<string, string | number> = { canFrames: Math.floor(body.remaining / CAN_ITEM_BYTES) };
  for (let i = 0; i < MOST_IDENTIFIERS && body.remaining >= CAN_ITEM_BYTES; i++) {
    const identifier = (body.u32() & IDENTIFIER).toString(16).toUpperCase();
    attributes[`can${identifier}`] = hex(body.take8(8));
  }
  return attributes;
}

/** 0x020A ("4G Wireless Air Protocol" VJT.04.063, §3.74): time, number of frames, and of each the same. */
export const canBroadcast: MessageReader = body => {
  const time = readTime(body);
  const frames = body.u16();
  if (time === null || frames === 0 || body.remaining !== frames * CAN_ITEM_BYTES) return null;
  return [{ kind: 'status', time, event: null, attributes: framesIn(body) }];
};

/** 0x0800: a picture, sound or film was made. */
export const mediaEvent: MessageReader = body => {
  const mediaId = body.u32();
  const mediaType = body.u8();
  return body.overrun ? null : status({ mediaId, mediaType });
};

const BEFORE_MEDIA_PLACE = 7;

/** 0x0802: the stored pictures, sounds and films, each with its location. */
export const storedMedia: MessageReader = body => {
  const reference = body.u16();
  const total = body.u16();
  if (body.overrun) return null;
  const messages = reply(`${total} stored`, reference);
  while (body.remaining >= BEFORE_MEDIA_PLACE + LOCATION_BYTES) {
    const mediaId = body.u32();
    const mediaType = body.u8();
    body.skip(2);
    const place = readLocation(new Reader(body.take8(LOCATION_BYTES)));
    if (place?.kind !== 'position') continue;
    messages.push(asStored({ ...place, attributes: { ...place.attributes, mediaId, mediaType } }));
  }
  return messages;
};

const PICTURES = ['done', 'failed', 'channel not supported'];

/** 0x0805: which pictures were made on command. */
export const pictures: MessageReader = body => {
  const reference = body.u16();
  const result = body.u8();
  if (body.overrun) return null;
  const count = body.remaining >= 2 ? body.u16() : 0;
  return reply(`${PICTURES[result] ?? `result ${result}`}${count === 0 ? '' : ` ${count}`}`, reference);
};

/** JT/T 1078-2016 0x1005: passengers who got on and off between two times. */
export const passengers: MessageReader = body => {
  readTime(body);
  const time = readTime(body);
  const passengersIn = body.u16();
  const passengersOut = body.u16();
  return body.overrun ? null : [{ kind: 'status', time, event: null, attributes: { passengersIn, passengersOut } }];
};
