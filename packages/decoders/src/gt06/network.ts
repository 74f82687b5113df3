import { Reader } from '../bytes.ts';
import { cardOf } from './alarm.ts';
import { type Generation, listedBytes, networkBytes, readCell, readStations, readTowers, TOWERS } from './cells.ts';
import { FIX_BYTES, isOnEarth, positionAt, readFix, readTime, TIME_BYTES } from './fix.ts';
import { location } from './location.ts';
import { noted, type Packet, type PacketDecoder } from './packet.ts';

/** Locations from what the tracker receives: towers (0x11, 0x18, 0x28, 0xA1) and Wi-Fi stations (0x2C, 0xA2). */
export const towers: PacketDecoder = ({ content, type }) => {
  const time = readTime(content);
  const cells = type === 0x11 ? readCell(content, '2g') : readTowers(content, type === 0xa1 ? '4g' : '2g');
  return time === null && content.overrun ? null : { kind: 'status', time, event: null, attributes: noted({ cells }) };
};

/** No country code begins with this value, so the byte is a satellite count, and a fix follows. */
const isFixAhead = ({ bytes, at }: Reader): boolean => ((bytes[at + TIME_BYTES] ?? 0) & 0x7f) > 0x03;

/** 0x24, and 0x31 under the short start: a location from some makers, towers from others. */
export const fixOrTowers: PacketDecoder = packet => {
  const { bytes, at, end } = packet.content;
  const fix = isFixAhead(packet.content) ? readFix(new Reader(bytes, at, end)) : null;
  return fix && isOnEarth(fix) ? location(packet) : towers(packet);
};

/** Network 3, seven towers of LAC 4, CI 8 and signal 1, timing advance 1, number of stations 1. */
const LEAST_WIFI_4G_BYTES = TIME_BYTES + 3 + 7 * 13 + 2;

export const stations: PacketDecoder = packet => {
  const { content, type } = packet;
  const generation = type === 0xa2 ? '4g' : '2g';
  const isShort = type === 0xa2 && content.remaining < LEAST_WIFI_4G_BYTES;
  if (isShort && isFixAhead(content)) return fixWithCell(packet);
  const listed = towersBefore(content, generation);
  if (isShort && listed === null) return fewTowers(packet);
  const time = readTime(content);
  const cells = readTowers(content, generation, listed ?? TOWERS);
  content.skip(1);
  const wifi = readStations(content, content.u8());
  return content.overrun ? null : { kind: 'status', time, event: null, attributes: noted({ cells, wifi }) };
};

const STATION_BYTES = 7;

/** How many towers come before the stations, if these then end with the packet. The document has seven. */
function towersBefore({ bytes, at, end }: Reader, generation: Generation): number | null {
  const from = at + TIME_BYTES + networkBytes(bytes, at + TIME_BYTES);
  for (let towers = TOWERS; towers > 0; towers--) {
    const countAt = from + towers * listedBytes(generation) + 1;
    if (countAt < end && countAt + 1 + (bytes[countAt] ?? 0) * STATION_BYTES === end) return towers;
  }
  return null;
}

/** Fewer towers than in the document. */
function fewTowers({ content }: Packet): ReturnType<PacketDecoder> {
  const time = readTime(content);
  return { kind: 'status', time, event: null, attributes: noted({ cells: readTowers(content, '4g') }) };
}

/** Seen in recordings: 0xA2 with a fix and a tower; the rest is unexplained. */
function fixWithCell({ content }: Packet): ReturnType<PacketDecoder> {
  const fix = readFix(content);
  if (fix === null || content.overrun) return null;
  return positionAt(fix, { attributes: noted({ cell: readCell(content, '4g') }) });
}

const TOWER_BYTES = 8;
const CARD_BYTES = 8;

/** 0x17, 0xA7: a request for the address of a tower; in recordings also a fix with a tower and a driver's card. */
export const addressByTower: PacketDecoder = ({ content, type }) => {
  if (content.remaining === FIX_BYTES + TOWER_BYTES + CARD_BYTES + 1) {
    const fix = readFix(content);
    const cell = readCell(content, '2g');
    return fix && positionAt(fix, { rfid: cardOf(content.take8(CARD_BYTES)), attributes: noted({ cell }) });
  }
  const cell = readCell(content, type === 0xa7 ? '4g' : '2g');
  return content.overrun
    ? null
    : { kind: 'status', time: null, event: null, attributes: noted({ cell, addressRequest: true }) };
};
