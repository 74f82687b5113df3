import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../log/entry.ts';
import { type Built, buildChains, fileOf } from '../testing/chains.ts';
import { at, certification, duty, entry, newId, recorded } from '../testing/entries.ts';
import { canonicalJson } from './canonical-json.ts';
import { contentOf, linkHash } from './link.ts';
import { type LogFile, readLogFile } from './log-file.ts';
import { hashOf } from './sha256.ts';
import { describeChainFault, verifyLog } from './verify.ts';

const lunch = recorded(duty('OFF', '12:00'));
const edited = entry(
  { action: 'edit', replaces: lunch.id, event: duty('SB', '12:00', { annotation: 'Slept in the berth' }) },
  { recordedAt: at('20:00'), by: 'driver-12' },
);
const entries: readonly LogEntry[] = [
  recorded(duty('ON', '8:00')),
  recorded(duty('D', '8:30')),
  lunch,
  // The co-driver on the same device: the device's chain has this entry, this log does not.
  recorded(duty('D', '12:30'), { log: 'driver:13' }),
  recorded(duty('D', '13:00')),
  recorded(duty('ON', '16:00', { origin: 'automatic' })),
  edited,
  entry({ action: 'certify', event: certification('2026-02-03', '+1 8:00') }, { by: 'driver-12' }),
];

function verify(built: Built, kept: readonly string[] = []) {
  const file = readLogFile(fileOf(built));
  if (!file.ok) throw new Error(`unreadable: ${JSON.stringify(file.fault)}`);
  return verifyLog(file.value, kept);
}
/** The same log with every link recomputed, as a forger could do. */
function rechained(own: Built['own'][number][]): Built['own'] {
  let previous = '0'.repeat(64);
  return own.map((link, position) => {
    const content = contentOf(link.entry as LogEntry) ?? '';
    previous = linkHash({ chain: link.chain, position, log: link.chain, content }, previous);
    return { ...link, position, hash: previous };
  });
}

describe('SHA-256 and canonical JSON', () => {
  it('match the published examples', () => {
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hashOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    // From RFC 8785 section 3.2.4, shortened.
    const value = {
      '\u20ac': 'Euro',
      '\r': 1e21,
      '1': [333333333.3333333, 4.5, 2e-3, 0.000001, null, true, '\u000f"\\'],
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":1e+21,"1":[333333333.3333333,4.5,0.002,0.000001,null,true,"\\u000f\\"\\\\"],"€":"Euro"}',
    );
  });

  it('give null for values that are not JSON', () => {
    const endless: unknown[] = [];
    endless.push(endless);
    for (const value of [Number.NaN, undefined, { a: undefined }, '\ud800', () => 1, endless, 1n]) {
      expect(canonicalJson(value)).toBeNull();
    }
  });

  it('round-trip', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
        const text = canonicalJson(value);
        expect(text && canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

describe('[I5] a log’s chain', () => {
  it('does not verify with its header alone, nor without its daily roots', () => {
    const built = buildChains(entries);
    expect(verify({ own: [], devices: [], roots: [] })).toMatchObject({ ok: false, fault: { code: 'empty', line: 1 } });
    expect(verify({ ...built, own: [] })).toMatchObject({ ok: false });
    expect(verify({ ...built, roots: [] })).toMatchObject({ ok: false, fault: { code: 'root-missing' } });
  });

  it('verifies offline, with the chain of the device and the daily roots', () => {
    const built = buildChains(entries);
    const result = verify(built, [built.roots[0]?.root ?? '']);
    expect(result).toMatchObject({
      ok: true,
      value: {
        log: 'driver:12',
        entries: 7,
        fromStart: true,
        chains: [{ links: 7 }, { chain: 'vehicle:7', links: 8 }],
      },
    });
    expect(built.roots.map(({ day, count }) => [day, count])).toEqual([
      ['2026-02-03', 5],
      ['2026-02-04', 2],
    ]);
  });

  it('verifies from the middle, too', () => {
    const { own, devices } = buildChains(entries);
    const second = devices.findIndex(({ content }) => content === contentOf(own[2]?.entry as LogEntry));
    const part = (links: typeof own, from: number) =>
      links.slice(from).map((link, i) => (i === 0 ? { ...link, previous: links[from - 1]?.hash } : link));
    const file = { own: part(own, 2), devices: part(devices, second), roots: [] };
    expect(verify(file)).toMatchObject({ ok: true, value: { entries: 5, fromStart: false } });
    expect(verify({ ...file, own: part(own, 3) })).toMatchObject({ fault: { code: 'not-in-log' } });
  });

  it('finds a deleted record, and names the one after it', () => {
    const { own, ...rest } = buildChains(entries);
    const result = verify({ ...rest, own: own.toSpliced(2, 1) });
    expect(result).toMatchObject({ fault: { code: 'missing', chain: 'driver:12', position: 3, line: 4 } });
    // Recomputed without the record; the device's chain still has it.
    expect(verify({ ...rest, own: rechained(own.toSpliced(5, 1)) })).toMatchObject({
      fault: { code: 'not-in-log', chain: 'vehicle:7', position: 6 },
    });
    // The last record.
    expect(verify({ ...rest, own: own.slice(0, -1) })).toMatchObject({
      fault: { code: 'not-in-log', chain: 'vehicle:7', position: 7 },
    });
  });

  it('finds a reordered pair, and names the first out of place', () => {
    const { own, ...rest } = buildChains(entries);
    const [a, b] = [own[3], own[4]] as const;
    const swapped = own.toSpliced(3, 2, b as never, a as never);
    expect(verify({ ...rest, own: swapped })).toMatchObject({ fault: { code: 'out-of-place', position: 4, line: 5 } });
    const renumbered = swapped.map((link, position) => ({ ...link, position }));
    expect(verify({ ...rest, own: renumbered })).toMatchObject({ fault: { code: 'altered', position: 3 } });
    expect(verify({ ...rest, own: rechained(swapped) })).toMatchObject({
      fault: { code: 'rule-broken', refusal: 'recorded-backward', position: 4 },
    });
  });

  it('finds a forged edit, and names it', () => {
    const { own, ...rest } = buildChains(entries);
    const forge = (position: number, change: (entry: LogEntry) => LogEntry) =>
      own.map(link => (link.position === position ? { ...link, entry: change(link.entry as LogEntry) } : link));
    const later = (one: LogEntry) =>
      ({ ...one, event: duty('SB', '11:00', { annotation: 'Slept earlier' }) }) as LogEntry;
    expect(verify({ ...rest, own: forge(5, later) })).toMatchObject({
      fault: { code: 'altered', position: 5, line: 7 },
    });
    // With all hashes recomputed it still shortens driving, and the device's chain differs.
    const result = verify({ ...rest, own: rechained(forge(5, later)) });
    expect(result).toMatchObject({ fault: { code: 'rule-broken', refusal: 'driving-shortened', position: 5 } });
    expect(!result.ok && describeChainFault(result.fault)).toBe(
      `driver:12, record 5 (edit ${edited.id}, written 2026-02-04T02:00:00.000Z), line 7: The rules do not allow this record. Automatically recorded driving can’t be shortened or removed.`,
    );
    const annotated = (one: LogEntry) => ({ ...one, by: 'someone-else' }) as LogEntry;
    expect(verify({ ...rest, own: rechained(forge(5, annotated)) })).toMatchObject({
      fault: { code: 'not-on-device', position: 5 },
    });
  });

  it('finds an inserted record', () => {
    const { own, ...rest } = buildChains(entries);
    const slipped = { ...own[6], entry: recorded(duty('OFF', '+1 9:00')) } as (typeof own)[number];
    expect(verify({ ...rest, own: rechained([...own, slipped]) })).toMatchObject({
      fault: { code: 'not-on-device', position: 7 },
    });
  });

  it('detects a fully recomputed chain by a daily root kept elsewhere', () => {
    const honest = buildChains(entries);
    const forged = buildChains([...entries.slice(0, 6), { ...edited, id: newId() }, ...entries.slice(7)] as LogEntry[]);
    expect(verify(forged)).toMatchObject({ ok: true });
    expect(verify(forged, [honest.roots[0]?.root ?? ''])).toMatchObject({ ok: true });
    expect(verify(forged, [honest.roots[1]?.root ?? ''])).toMatchObject({ fault: { code: 'root-unknown' } });
  });

  it('finds a root that does not belong to its day', () => {
    const { roots, ...rest } = buildChains(entries);
    for (const wrong of [{ count: 4 }, { day: '2026-02-05' }, { head: '0'.repeat(64) }, { first: 1 }]) {
      expect(verify({ ...rest, roots: [{ ...roots[0], ...wrong } as (typeof roots)[number]] })).toMatchObject({
        fault: { code: 'root-wrong' },
      });
    }
  });
});

describe('[I3] an exported log', { timeout: 60_000 }, () => {
  const text = fileOf(buildChains(entries));
  const digestLine = text.split('\n').length - 1;
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;

  it('does not verify with any one bit flipped, and the line is named', () => {
    const places = fc.integer({ min: 0, max: text.length - 1 });
    fc.assert(
      fc.property(places, fc.integer({ min: 0, max: 6 }), (index, bit) => {
        const flipped =
          text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ (1 << bit)) + text.slice(index + 1);
        const file = readLogFile(flipped);
        const result = file.ok ? verifyLog(file.value) : file;
        expect(result.ok).toBe(false);
        if (result.ok) return;
        const { code, line } = result.fault;
        // The header says whose log it is; a change there shows up at the first line that no longer fits.
        if (lineAt(index) === 1) return;
        if (lineAt(index) >= digestLine) expect(['file-changed', 'cut-off']).toContain(code);
        // A line that was split, or that others refer to, is reported at a line next to it.
        else expect(Math.abs((line ?? 0) - lineAt(index))).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1500 },
    );
  });

  it('reads or refuses any text', () => {
    const junk = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.jsonValue(), { maxLength: 5 }).map(values => values.map(value => JSON.stringify(value)).join('\n')),
      fc
        .array(fc.constantFrom(...text.split('\n')), { maxLength: 20 })
        .map(lines => `${text.split('\n')[0]}\n${lines.join('\n')}\n`),
    );
    fc.assert(
      fc.property(junk, input => {
        const file: ReturnType<typeof readLogFile> = readLogFile(input);
        if (file.ok) expect(typeof verifyLog(file.value as LogFile).ok).toBe('boolean');
        else expect(file.fault.line).toBeGreaterThan(0);
      }),
    );
    expect(readLogFile('[['.repeat(30_000))).toMatchObject({ fault: { code: 'not-a-log', line: 1 } });
    expect(readLogFile(text.slice(0, -1))).toMatchObject({ fault: { code: 'cut-off' } });
  });
});
