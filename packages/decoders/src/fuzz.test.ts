import fc from 'fast-check';
import { describe, it } from 'vitest';
import { checkDatagram, checkRequest, checkStream } from './fuzz-checks.ts';
import {
  damage,
  GT06_SAMPLES,
  gt06Nonsense,
  osmandDocument,
  osmandNonsense,
  randomFrom,
  TELTONIKA_DATAGRAM,
  TELTONIKA_SAMPLES,
  teltonikaNonsense,
} from './fuzz-inputs.ts';
import { NONSENSE } from './fuzz-nonsense.ts';
import { gt06, osmand, type ProtocolName, protocols, teltonika, teltonikaUdp } from './index.ts';

const RUNS = 400;
const seeds = fc.integer();
/** `npm run fuzz` runs the same for longer. */
const fast = { numRuns: RUNS };

describe('[I3] decoders survive any input: they never throw, always end, and return bounded results', () => {
  it('arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), bytes => {
        checkStream(teltonika, bytes);
        checkStream(gt06, bytes);
        checkDatagram(teltonikaUdp, bytes);
      }),
      fast,
    );
  });

  it('valid frames that are cut off, repeated or have flipped bits', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const random = randomFrom(seed);
        for (const sample of TELTONIKA_SAMPLES) checkStream(teltonika, damage(random, sample));
        for (const sample of GT06_SAMPLES) checkStream(gt06, damage(random, sample));
        checkDatagram(teltonikaUdp, damage(random, TELTONIKA_DATAGRAM));
      }),
      fast,
    );
  });

  it('nonsense inside a valid envelope', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const random = randomFrom(seed);
        checkStream(teltonika, teltonikaNonsense(random));
        checkStream(gt06, gt06Nonsense(random));
      }),
      { numRuns: RUNS * 5 },
    );
  });

  it.each(Object.entries(NONSENSE))('nonsense inside a valid envelope of %s', (name, nonsense) => {
    const { stream, datagram } = protocols[name as ProtocolName];
    fc.assert(
      fc.property(seeds, seed => {
        const bytes = nonsense(randomFrom(seed));
        if (stream) checkStream(stream, bytes);
        if (datagram) checkDatagram(datagram, bytes);
      }),
      { numRuns: RUNS * 2 },
    );
  });

  it('oversized input: a frame start followed by far too much data', () => {
    const size = 200_000;
    for (const fill of [0, 0x0f, 0x78, 0x79, 0xff]) {
      checkStream(teltonika, new Uint8Array(size).fill(fill));
      checkStream(gt06, new Uint8Array(size).fill(fill));
    }
  });

  it('requests', () => {
    fc.assert(
      fc.property(seeds, fc.string({ maxLength: 300 }), (seed, text) => {
        const random = randomFrom(seed);
        const get = { method: 'GET', contentType: null, body: '' };
        checkRequest(osmand, { ...get, query: osmandNonsense(random) });
        checkRequest(osmand, { ...get, query: text });
        checkRequest(osmand, { ...get, method: 'POST', query: '', body: text });
        const body = JSON.stringify(osmandDocument(random));
        checkRequest(osmand, { method: 'POST', query: '', contentType: 'application/json', body });
      }),
      fast,
    );
  });
});
