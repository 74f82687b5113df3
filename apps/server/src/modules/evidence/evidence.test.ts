import { createHash } from 'node:crypto';
import type { ReportRun } from '@milepost/contract';
import { verifyFile } from '@milepost/eld';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

const MINUTE = 60_000;
const patient = { timeout: 60_000, interval: 25 };
const NAME = '=Truck 7';

let server: TestHttpServer;
let owner: SignedIn;
let deviceId: string;
let from: string;
let to: string;

/** An hour's drive west through Chicago with a report in doubt, then a stop. */
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
  owner = await signedIn(server);
  const calendar = server.figures.calendar(owner.accountId);
  const begin = calendar.startOf(calendar.dayOf(Date.now()) - 1) + 8 * 60 * MINUTE;
  [from, to] = [begin, begin + 120 * MINUTE].map(ms => new Date(ms).toISOString()) as [string, string];
  deviceId = (await addNamedVehicle(server, owner.accountId, NAME)).id;
  const positions = Array.from({ length: 90 }, (_, i) =>
    receivedPosition(begin + i * MINUTE, {
      lat: degrees(41.88),
      lon: degrees(i === 20 ? -80 : -87.65 - Math.min(i, 59) / 1000),
      speed: fromKilometresPerHour(i < 60 ? 50 : 0),
      ignition: i < 60,
    }),
  );
  await storePositions(server, owner.accountId, Number(deviceId), positions);
});
afterAll(() => server.close());

const start = (body: object, { token } = owner) =>
  server.call('POST', '/api/v1/evidence', { token, body: { vehicles: [deviceId], from, to, ...body } });

async function packed(body: object = {}): Promise<{ run: ReportRun; bytes: Buffer }> {
  const started = await start(body);
  expect([started.status, started.text]).toEqual([201, expect.any(String)]);
  const { id } = started.body as ReportRun;
  const find = async () =>
    ((await server.call('GET', '/api/v1/report_run', { token: owner.token })).body as ReportRun[]).find(
      run => run.id === id,
    );
  await vi.waitFor(async () => expect((await find())?.endedAt).toEqual(expect.any(String)), patient);
  const run = (await find()) as ReportRun;
  expect([run.state, run.problem]).toEqual(['done', null]);
  const answer = await fetch(`${server.url}/api/v1/report_run/${id}/file`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { run, bytes };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function openPdf(bytes: Uint8Array) {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  return getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
}

async function textIn(bytes: Uint8Array): Promise<string> {
  const pdf = await openPdf(bytes);
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, i) => pdf.getPage(i + 1)));
  const contents = await Promise.all(pages.map(page => page.getTextContent()));
  return contents.flatMap(({ items }) => items.map(item => ('str' in item ? item.str : ''))).join(' ');
}

describe('[R2.06] an evidence pack', () => {
  it('is a tagged PDF with the map, the events, and the data attached, whose hashes it prints', async () => {
    const { bytes, run } = await packed();
    expect(run).toMatchObject({ key: 'evidence', title: 'Evidence pack', format: 'pdf' });
    const again = await server.call('POST', `/api/v1/report_run/${run.id}/repeat`, { token: owner.token });
    expect([again.status, again.body]).toMatchObject([201, { key: 'evidence', period: run.period, total: run.total }]);
    expect(run.file).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) });
    const pdf = await openPdf(bytes);
    const marked = (await pdf.getMarkInfo()) as unknown as ReadonlyMap<string, boolean>;
    expect(marked.get('Marked')).toBe(true);
    const tree = JSON.stringify(await (await pdf.getPage(1)).getStructTree());
    for (const role of ['H1', 'Figure', 'H2', 'Table', 'TH']) expect(tree).toContain(`"role":"${role}"`);
    expect(tree).toContain('Map of the tracks of =Truck 7');

    const attached: Attachment[] = [];
    for (const [id, { filename }] of (await pdf.getAttachments()) ?? []) {
      attached.push({ filename, content: (await pdf.getAttachmentContent(id)) ?? new Uint8Array() });
    }
    expect(attached.map(({ filename }) => filename).toSorted()).toEqual([
      'events.csv',
      'positions.csv',
      'tracks.geojson',
    ]);
    const text = (await textIn(bytes)).replaceAll(' ', '');
    for (const { content } of attached) expect(text).toContain(sha256(content).slice(0, 32));
    const contentOf = (name: string) =>
      Buffer.from(attached.find(({ filename }) => filename === name)?.content ?? []).toString();
    const positions = parse(contentOf('positions.csv'), { bom: true, columns: true }) as Record<string, string>[];
    expect(positions).toHaveLength(90);
    expect(positions.filter(({ doubts }) => doubts === 'impossible-speed')).not.toHaveLength(0);
    const events = parse(contentOf('events.csv'), { bom: true, columns: true }) as Record<string, string>[];
    expect(events.map(({ kind }) => kind)).toEqual(['trip', 'stop']);
    expect(events[0]).toMatchObject({ number: '1', from_utc: from, vehicle: `'${NAME}` });
    expect(JSON.parse(contentOf('tracks.geojson'))).toMatchObject({ features: [{ properties: { name: NAME } }] });
  });

  it('verifies offline, and with any byte changed it does not', async () => {
    const { bytes, run } = await packed();
    const kept = run.file?.sha256 ?? '';
    expect(verifyFile(bytes, [kept])).toMatchObject({ kind: 'sealed-file', ok: true, file: { sha256: kept } });
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const forged = Buffer.from(bytes);
        forged[at] = (forged[at] as number) ^ change;
        expect(verifyFile(forged).ok).toBe(false);
        expect(verifyFile(forged, [kept]).ok).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same, byte for byte, when it is written again from the same data', async () => {
    const now = Date.now();
    const packedThen = () => {
      // Each step of `waitFor` moves the clock on.
      vi.setSystemTime(now);
      return packed();
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const [one, other] = [await packedThen(), await packedThen()];
      expect(one.run.id).not.toBe(other.run.id);
      expect(other.run.file?.sha256).toBe(one.run.file?.sha256);
    } finally {
      vi.useRealTimers();
    }
  });

  it('says so where there is nothing to draw or to list', async () => {
    const early = { from: '2020-01-01T00:00:00.000Z', to: '2020-01-02T00:00:00.000Z' };
    const text = await textIn((await packed(early)).bytes);
    expect(text).toContain('No vehicle sent a usable position in this period');
    expect(text).toContain('No trips, stops, alerts or visits');
  });

  it('is refused for a longer time than a week, and for a vehicle that is not the caller’s', async () => {
    const long = await start({ from: '2026-01-01T00:00:00.000Z', to: '2026-01-09T00:00:00.000Z' });
    expect(long.body).toMatchObject({ code: 'range-too-long' });
    expect((await start({ vehicles: ['2000000000'] })).body).toMatchObject({ code: 'not-found' });
  });
});

interface Attachment {
  readonly filename: string;
  readonly content: Uint8Array;
}
