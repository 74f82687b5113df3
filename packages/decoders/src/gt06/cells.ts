import { hex, Reader } from '../bytes.ts';

/** Cell towers in the packets. The 4G packets (0xA0 …) have longer fields; as text, `MCC-MNC-LAC-CI`. */
export type Generation = '2g' | '4g';

/** Bit 15 of the country code: the network code has two bytes. */
const LONG_NETWORK_CODE = 0x8000;

interface Network {
  readonly mcc: number;
  readonly mnc: number;
}

function readNetwork(reader: Reader): Network {
  const mcc = reader.u16();
  const mnc = mcc & LONG_NETWORK_CODE ? reader.u16() : reader.u8();
  return { mcc: mcc & ~LONG_NETWORK_CODE, mnc };
}

/** LAC and CI: 2 and 3 bytes; in 4G packets, 4 and 8. */
const readTower = (reader: Reader, generation: Generation): readonly [number, number] =>
  generation === '4g' ? [reader.u32(), reader.u64()] : [reader.u16(), reader.u24()];

/** Country codes, ITU-T E.212: 200–799, and 901 for international networks. */
const isCountry = (mcc: number): boolean => (mcc >= 200 && mcc <= 799) || mcc === 901;

/** One tower, or null if the tracker has none or the country code is invalid. */
export function readCell(reader: Reader, generation: Generation): string | null {
  const { mcc, mnc } = readNetwork(reader);
  const [lac, ci] = readTower(reader, generation);
  return !isCountry(mcc) || reader.overrun ? null : `${mcc}-${mnc}-${lac}-${ci}`;
}

/** A vendor's four-byte cell id in second-generation packets. */
export function readWideCell(reader: Reader): string | null {
  const { mcc, mnc } = readNetwork(reader);
  const lac = reader.u16();
  const ci = reader.u32();
  return !isCountry(mcc) || reader.overrun ? null : `${mcc}-${mnc}-${lac}-${ci}`;
}

/** "LBS multiple bases": the serving tower and six neighbors, each with a signal of 0 (weakest) to 255. */
export const TOWERS = 7;

/** `310-4-33278-421275:62`, separated by spaces, serving tower first; empty entries are left out. */
export function readTowers(reader: Reader, generation: Generation, most = TOWERS): string {
  const { mcc, mnc } = readNetwork(reader);
  const towers: string[] = [];
  for (let i = 0; i < most && reader.remaining > 0; i++) {
    const [lac, ci] = readTower(reader, generation);
    const signal = reader.u8();
    if (!reader.overrun && (lac !== 0 || ci !== 0)) towers.push(`${mcc}-${mnc}-${lac}-${ci}:${signal}`);
  }
  return towers.join(' ');
}

/** `00:18:01:EB:40:39:56`, separated by spaces: address and signal as sent; empty entries are left out. */
export function readStations(reader: Reader, count: number): string {
  const stations: string[] = [];
  for (let i = 0; i < count && !reader.overrun; i++) {
    const address = reader.take8(6);
    const signal = reader.u8();
    if (reader.overrun || address.every(byte => byte === 0)) continue;
    stations.push(`${[...address].map(byte => hex(Uint8Array.of(byte))).join(':')}:${signal}`);
  }
  return stations.join(' ');
}

/** The length in bytes of a tower in a list, with its signal. */
export const listedBytes = (generation: Generation): number => (generation === '4g' ? 13 : 6);

/** The length in bytes of the country and network codes. */
export const networkBytes = (bytes: Uint8Array, at: number): number =>
  new Reader(bytes, at).u16() & LONG_NETWORK_CODE ? 4 : 3;

/** The length in bytes of one tower with its network. */
export const cellBytes = (bytes: Uint8Array, at: number, generation: Generation): number =>
  networkBytes(bytes, at) + (generation === '4g' ? 12 : 5);
