import type { Attributes } from '../protocol.ts';

/** The vehicle's number comes as text in three elements of eight bytes, the last one filled up with zeros. */
const VIN = /^[A-Z0-9]{17}$/;

const textOf = (digits: string): string =>
  digits.replace(/00+$/, '').replaceAll(/../g, byte => String.fromCharCode(Number.parseInt(byte, 16)));

export function withVin(attributes: Attributes): Attributes {
  if (attributes.io104 === undefined) return attributes;
  const { io104, io105, io106, ...rest } = attributes;
  const [first, second, third] = [io104, io105, io106].map(part => (typeof part === 'string' ? textOf(part) : ''));
  const vin = `${first}${second}${third}`;
  return VIN.test(vin) ? { ...rest, vin } : attributes;
}
