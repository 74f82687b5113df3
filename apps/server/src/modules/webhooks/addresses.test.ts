import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressRule } from './addresses.ts';

const open = addressRule([]);

/** RFC 6890 and its successors, as first and last address: another way to say it than the networks under test. */
const NOT_PUBLIC = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
] as const;

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const dotted = (number: number): string => [24, 16, 8, 0].map(shift => (number >>> shift) & 255).join('.');
const hex = (number: number): string => `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
const isPublic = (number: number): boolean =>
  !NOT_PUBLIC.some(([first, last]) => number >= numberOf(first) && number <= numberOf(last));

/** Any address, and often one at the edge of a network. */
const addresses = fc.oneof(
  fc.nat(0xffff_ffff),
  fc
    .tuple(fc.constantFrom(...NOT_PUBLIC.flat()), fc.integer({ min: -1, max: 1 }))
    .map(([edge, step]) => Math.min(0xffff_ffff, Math.max(0, numberOf(edge) + step))),
);

describe('the addresses that a webhook may connect to', () => {
  it('are those of the public internet (IPv4), in each form in which IPv6 writes them', () => {
    fc.assert(
      fc.property(addresses, number => {
        const expected = isPublic(number);
        for (const form of [
          dotted(number),
          `::ffff:${dotted(number)}`,
          `::FFFF:${hex(number)}`,
          `0:0:0:0:0:ffff:${hex(number)}`,
          `64:ff9b::${dotted(number)}`,
        ]) {
          expect([form, open.allows(form)]).toEqual([form, expected]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('are none inside of IPv6 but global unicast', () => {
    fc.assert(
      fc.property(
        fc.nat(0xffff).filter(first => first >> 13 !== 1),
        fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 7, maxLength: 7 }),
        (first, rest) => {
          const address = [first, ...rest].map(group => group.toString(16)).join(':');
          expect([address, open.allows(address)]).toEqual([address, false]);
        },
      ),
    );
  });

  it.each([
    ['2606:4700:4700::1111', true],
    ['2a00:1450:4001::200e', true],
    ['::1', false],
    ['::', false],
    ['::127.0.0.1', false],
    ['fd00:ec2::254', false],
    ['fe80::1', false],
    ['fe80::1%eth0', false],
    ['2606:4700:4700::1111%eth0', false],
    ['2001:db8::1', false],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', false],
    ['2002:7f00:1::', false],
    ['169.254.169.254', false],
    ['100.100.100.200', false],
    ['localhost', false],
    ['', false],
  ])('%s: %s', (address, expected) => {
    expect(open.allows(address)).toBe(expected);
  });

  it('include the networks of the operator, and nothing else private', () => {
    const own = addressRule(['10.1.0.0/16', '127.0.0.1', 'fd12::/16']);
    const allowed = ['10.1.255.255', '::ffff:10.1.0.1', '127.0.0.1', 'fd12:3::4', '8.8.8.8'];
    const refused = ['10.2.0.0', '127.0.0.2', 'fd13::1', '192.168.0.1', '::1'];
    expect(allowed.filter(address => !own.allows(address))).toEqual([]);
    expect(refused.filter(address => own.allows(address))).toEqual([]);
  });
});
