import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMAND_PARAMETERS } from './commands/catalogue.ts';
import {
  hasImeiCheckDigit,
  idSchema,
  imeiSchema,
  instantSchema,
  isForward,
  numeric,
  vehicleNameSchema,
  vinSchema,
} from './fields.ts';
import { problemOfIssue } from './issue.ts';

describe('IMEI', () => {
  // 490154203237518 is the worked example in 3GPP TS 23.003 annex B; the others are made up and checked by hand.
  it.each(['490154203237518', '356307042441013', '000000000000000'])('takes %s', imei => {
    expect(imeiSchema.parse(` ${imei} `)).toBe(imei);
  });

  it.each(['490154203237519', '49015420323751', '4901542032375180', '49015420323751８', 'ABCDEFGHIJKLMNO', ''])(
    'refuses %s with a helpful message',
    imei => {
      expect(imeiSchema.safeParse(imei).error?.issues.map(problemOfIssue)).toEqual([{ code: 'imei', params: {} }]);
    },
  );

  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 14, maxLength: 14 }).map(all => all.join(''));

  it('has exactly one check digit for any fourteen digits', () => {
    fc.assert(
      fc.property(digits, body => {
        const fitting = Array.from({ length: 10 }, (_, digit) => body + digit).filter(hasImeiCheckDigit);
        expect(fitting).toHaveLength(1);
      }),
    );
  });

  it('detects any single wrong digit', () => {
    fc.assert(
      fc.property(digits, fc.nat(14), fc.integer({ min: 1, max: 9 }), (body, at, change) => {
        const imei = Array.from({ length: 10 }, (_, digit) => body + digit).find(hasImeiCheckDigit) ?? '';
        const wrong = imei.slice(0, at) + ((Number(imei[at]) + change) % 10) + imei.slice(at + 1);
        expect(hasImeiCheckDigit(wrong)).toBe(false);
      }),
    );
  });

  it('detects two swapped neighboring digits, except 0 and 9', () => {
    fc.assert(
      fc.property(digits, fc.nat(13), (body, at) => {
        const imei = Array.from({ length: 10 }, (_, digit) => body + digit).find(hasImeiCheckDigit) ?? '';
        const [a = '', b = ''] = [imei[at], imei[at + 1]];
        fc.pre(a !== b && a + b !== '09' && a + b !== '90');
        expect(hasImeiCheckDigit(imei.slice(0, at) + b + a + imei.slice(at + 2))).toBe(false);
      }),
    );
  });
});

describe('other fields', () => {
  it('accept a name of up to 60 characters on one line', () => {
    expect(vehicleNameSchema.parse('  Lkw Łódź 7 🚚 ')).toBe('Lkw Łódź 7 🚚');
    for (const name of ['', '   ', 'x'.repeat(61), 'a\nb', 'a\0b', 'a\u0085b']) {
      expect([name, vehicleNameSchema.safeParse(name).success]).toEqual([name, false]);
    }
  });

  it('accept a VIN in either case, and refuse I, O and Q (ISO 3779)', () => {
    expect(vinSchema.parse('1m8gdm9axkp042788')).toBe('1M8GDM9AXKP042788');
    for (const vin of ['1M8GDM9AXKP04278', 'IM8GDM9AXKP042788', '1M8GDM9AXKP04278O']) {
      expect(vinSchema.safeParse(vin).success).toBe(false);
    }
  });

  it('accept any possible row id as an id', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), id => idSchema.parse(String(id)) === String(id)));
    for (const id of ['0', '01', '-1', '1e3', '2147483648', '9999999999', '', ' 1']) {
      expect([id, idSchema.safeParse(id).success]).toEqual([id, false]);
    }
  });

  it('accept a time only with its time zone', () => {
    for (const time of ['2026-11-19T14:00:00Z', '2026-11-19T08:00:00.123-06:00'])
      expect(instantSchema.parse(time)).toBe(time);
    for (const time of ['2026-11-19', '2026-11-19T14:00:00', '2026-02-30T00:00:00Z', 'now']) {
      expect([time, instantSchema.safeParse(time).success]).toEqual([time, false]);
    }
  });

  it('detect a period that ends before it starts, across time zones', () => {
    expect(isForward({ from: '2026-11-19T14:00:00Z', to: '2026-11-19T09:00:01-05:00' })).toBe(true);
    expect(isForward({ from: '2026-11-19T14:00:00Z', to: '2026-11-19T14:00:00+01:00' })).toBe(false);
  });
});

describe('a number, also as text', () => {
  const schema = numeric(z.number());

  it.each([
    ['12', 12],
    [' -0.25 ', -0.25],
    [7.5, 7.5],
  ])('takes %j', (given, number) => {
    expect(schema.parse(given)).toBe(number);
  });

  it.each(['', ' ', null, true, false, [], [5], {}, '0x10', '1e3', '12 km', '1,200', 'NaN', Number.NaN])(
    'does not make a number of %j, for a command neither',
    given => {
      expect(schema.safeParse(given).success).toBe(false);
      for (const name of ['seconds', 'minutes', 'metres', 'speed', 'radius', 'lat', 'lon', 'port'] as const) {
        expect(COMMAND_PARAMETERS[name].safeParse(given).success).toBe(false);
      }
    },
  );

  it('nothing is no number either where it may be left out', () => {
    const optional = z.object({ zoom: schema.optional() });
    expect(optional.parse({})).toEqual({});
    expect(optional.safeParse({ zoom: '' }).success).toBe(false);
  });
});
