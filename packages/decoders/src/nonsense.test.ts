import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';
import { join } from './bytes.ts';
import { crc16Kermit } from './crc16.ts';
import { encodePackage as encodeEelink, wrapped } from './eelink/encode.ts';
import { checkDatagram, checkStream } from './fuzz-checks.ts';
import { pack } from './galileosky/encode.ts';
import { type ProtocolName, protocols } from './index.ts';
import { encodePacket } from './jt808/encode.ts';
import { MESSAGES } from './jt808/messages.ts';
import type { StreamProtocol } from './protocol.ts';
import { sealed, sealedSeries } from './totem/encode.ts';

/** Nonsense inside valid envelopes, which damaging good frames rarely produces. */

const streamOf = (name: ProtocolName): StreamProtocol => {
  const { stream } = protocols[name];
  if (!stream) throw new Error(`${name} is no stream`);
  return stream;
};

const runs = { numRuns: 1500 };
const bytes = fc.uint8Array({ maxLength: 400 });
const fields = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'V1',
        'V4',
        'NBR',
        'LINK',
        'A',
        'V',
        '4152.6860',
        'N',
        'W',
        '050607',
        '040326',
        'FFFFFBFF',
        'F',
        'L',
        '',
      ),
      fc.stringMatching(/^[ -'+-~]{0,12}$/),
      fc.integer().map(String),
    ),
    { maxLength: 24 },
  )
  .map(list => list.join());
const text = (words: string): Uint8Array => new ByteWriter().ascii(words).done();

describe('[I3] nonsense in a valid envelope', () => {
  it('jt808, under every id', () => {
    const id = fc.oneof(fc.constantFrom(...MESSAGES.keys()), fc.nat(0xffff));
    const identity = fc.constantFrom('013912345678', '352093081452251', '35209308145225');
    fc.assert(
      fc.property(id, identity, bytes, (id, identity, body) => {
        const frame = encodePacket(id, identity, 1, body);
        expect(checkStream(streamOf('jt808'), frame)).toBe(1);
      }),
      runs,
    );
  });

  it('ruptela, under every command', () => {
    const command = fc.oneof(fc.constantFrom(1, 68), fc.nat(255));
    fc.assert(
      fc.property(command, bytes, (command, payload) => {
        const content = new ByteWriter().u64(352_093_081_452_251).u8(command).bytes(payload).done();
        const crc = crc16Kermit(content, 0, content.length);
        expect(
          checkStream(streamOf('ruptela'), new ByteWriter().u16(content.length).bytes(content).u16(crc).done()),
        ).toBe(1);
      }),
      runs,
    );
  });

  it('galileosky, under every header, over Iridium, too', () => {
    fc.assert(
      fc.property(fc.constantFrom(0x01, 0x06, 0x07, 0x08), bytes, (header, content) => {
        const padded = join([Uint8Array.of(0x20), content]);
        expect(checkStream(streamOf('galileosky'), pack(join([padded, padded]), header))).toBe(1);
        const elements = new ByteWriter().u8(1).u16(28).bytes(new Uint8Array(28)).bytes(content).done();
        checkStream(streamOf('galileosky'), new ByteWriter().u8(1).u16(elements.length).bytes(elements).done());
      }),
      runs,
    );
  });

  it('calamp, of every type', () => {
    fc.assert(
      fc.property(fc.nat(12), bytes, (type, body) => {
        const head = new ByteWriter().u8(0x81).u8(5).hex('4332149475').u8(1).u8(type).u16(7);
        const { datagram } = protocols.calamp;
        if (datagram) checkDatagram(datagram, head.bytes(body).done());
      }),
      runs,
    );
  });

  it('eelink, under every identifier, alone and wrapped', () => {
    fc.assert(
      fc.property(fc.nat(255), bytes, (type, content) => {
        const frame = encodeEelink(type, 7, content);
        expect(checkStream(streamOf('eelink'), frame)).toBe(1);
        expect(checkStream(streamOf('eelink'), wrapped('352093081452251', frame))).toBe(1);
      }),
      runs,
    );
  });

  it('totem, in both envelopes', () => {
    const words = fields.map(text =>
      text
        .replaceAll(/[$\r\n]/g, '')
        .replaceAll(',', '|')
        .padEnd(20, '0'),
    );
    fc.assert(
      fc.property(fc.constantFrom('AA', '01', '88', 'E5'), words, (type, content) => {
        expect(checkStream(streamOf('totem'), sealed(`352093081452251|${type}${content}|`))).toBe(1);
        expect(checkStream(streamOf('totem'), sealedSeries(type, '352093081452251', content))).toBe(1);
      }),
      runs,
    );
  });

  it('h02, gps103, tk103', () => {
    fc.assert(
      fc.property(
        fields,
        fc.constantFrom('BP05', 'BR00', 'BO01', 'BZ00', ',DW51', ',ZC20', ',ZC11', 'XX'),
        (words, word) => {
          checkStream(streamOf('h02'), text(`*HQ,4109876543,${words.replaceAll(/[*#]/g, '')}#`));
          checkStream(streamOf('gps103'), text(`imei:352093081452251,${words.replaceAll(/[;*]/g, '')};`));
          checkStream(streamOf('tk103'), text(`(013912345678${word}${words})`));
        },
      ),
      runs,
    );
  });

  it('xexun, around its sentence', () => {
    fc.assert(
      fc.property(fields, fields, (before, behind) => {
        const line = `260304050607,,GPRMC,050607,A,${before},040326,,,A*00,F,, imei:352093081452251,${behind}`;
        checkStream(streamOf('xexun'), text(`${line}\r\n`));
      }),
      runs,
    );
  });

  it('watch, under every word', () => {
    const word = fc.constantFrom('LK', 'UD', 'UD_LTE', 'AL', 'TK', 'img', 'bphrt', 'CONFIG', 'CR', 'VERNO', 'XX');
    const place = fc.constantFrom('', '040326,050607,A,', '040326,050607,V,41.5,N,87.5,W,');
    fc.assert(
      fc.property(word, place, fields, (word, place, rest) => {
        const content = `${word},${place}${rest.replaceAll(/[[\]]/g, '')}`;
        const length = content.length.toString(16).padStart(4, '0');
        expect(checkStream(streamOf('watch'), text(`[3G*8800000015*${length}*${content}]`))).toBe(1);
      }),
      runs,
    );
  });

  it('h02, as a record with a time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 34, maxLength: 34 }), rest => {
        const record = new ByteWriter().u8(0x24).hex('4109876543').hex('050607').hex('040326').bytes(rest).done();
        expect(checkStream(streamOf('h02'), record)).toBeGreaterThan(0);
      }),
      runs,
    );
  });
});
