import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { ReportColumn, ReportColumnType } from '@milepost/contract';
import { sealStart } from '@milepost/eld';
import { stringify } from 'csv-stringify/sync';
import { wallTime } from '../../points/wall-time.ts';
import type { MapFiles } from '../maps/map-files.ts';
import { cellText } from '../reports/files/cell-text.ts';
import { headsOf } from '../reports/files/cells.ts';
import {
  firstPage,
  letterhead,
  MARGIN,
  numberPages,
  openPdf,
  paragraph,
  type Root,
} from '../reports/files/pdf-page.ts';
import { PdfTable } from '../reports/files/pdf-table.ts';
import { readBaseMap } from './base-map.ts';
import type { Collected, Collecting, PackEvent } from './collect.ts';
import { drawMap } from './track-map.ts';
import { View } from './view.ts';
import { EVIDENCE_WORDS, type EvidenceWords } from './words.ts';

/** In the PDF; the attached table has all of them. */
const EVENTS = 400;
const MAP_HEIGHT = 330;

export interface Packing extends Omit<Collecting, 'progress' | 'signal' | 'vehicles'> {
  readonly mapFiles: MapFiles;
  /** When it was asked for, and who by; with the same data, the same pack comes out, byte for byte. */
  readonly madeAt: Date;
  readonly madeBy: string;
  /** Where a file can be checked. */
  readonly verifyPage: string;
}

interface Attachment {
  readonly name: keyof EvidenceWords['files'];
  readonly type: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/**
 * An evidence pack: a tagged PDF with the map, the vehicles, the events, and the data they come from attached. Its last
 * line has the SHA-256 of all before it, so that `verifyFile` finds a change of any byte.
 */
export async function* evidencePack(packing: Packing, collected: Collected): AsyncGenerator<Uint8Array> {
  const { madeAt } = packing;
  const digest = createHash('sha256');
  for await (const bytes of pdfOf(packing, collected)) {
    digest.update(bytes);
    yield bytes;
  }
  const start = Buffer.from(sealStart(madeAt.toISOString()));
  digest.update(start);
  yield start;
  yield Buffer.from(`${digest.digest('hex')}\n`);
}

async function* pdfOf(packing: Packing, collected: Collected): AsyncGenerator<Uint8Array> {
  const { madeAt, madeBy, period, sources, style, verifyPage, viewer } = packing;
  const words = EVIDENCE_WORDS[style.language];
  const { zone } = sources.parts.figures.calendar(viewer.accountId);
  const wall = (ms: number): string => wallTime(new Date(ms).toISOString(), zone);
  const [from, to] = [wall(period.from.getTime()), wall(period.to.getTime())];
  const files = attachmentsOf(collected);

  const { document, root } = await openPdf(`${words.title}, ${from} – ${to}`, style, madeAt);
  firstPage(document, 'landscape');
  letterhead(document, root, words.title, style);
  paragraph(document, root, words.period(from, to, zone));
  paragraph(document, root, words.made(wall(madeAt.getTime()), madeBy));
  if (collected.behind.length > 0) {
    paragraph(document, root, words.behind(collected.behind.map(({ name }) => name).join(', ')));
  }
  document.moveDown(0.6);
  await addMap(document, root, packing, collected, words.mapText(namesOf(collected), from, to));
  heading(document, root, words.vehicles);
  await vehicleTable(document, root, collected, packing, zone);
  heading(document, root, words.events);
  await eventTable(document, root, collected.events, packing, zone);
  heading(document, root, words.data);
  await fileTable(document, root, files, packing);
  paragraph(document, root, words.dataText);
  for (const text of [words.check(verifyPage), ...words.known]) paragraph(document, root, text);
  for (const file of files) await attach(document, file, words.files[file.name], madeAt);
  root.end();
  numberPages(document, style, [style.organisation, words.title].join(' · '));
  document.end();
  yield* document as AsyncIterable<Uint8Array>;
}

const namesOf = ({ sent }: Collected): string => sent.map(({ vehicle }) => vehicle.name).join(', ');

async function addMap(
  document: PDFKit.PDFDocument,
  root: Root,
  packing: Packing,
  collected: Collected,
  alt: string,
): Promise<void> {
  const words = EVIDENCE_WORDS[packing.style.language];
  const places = collected.sent.flatMap(({ lines }) => lines.flat());
  if (places.length === 0) return paragraph(document, root, words.noMap);
  const box = { left: MARGIN, top: document.y, width: document.page.width - 2 * MARGIN, height: MAP_HEIGHT };
  const view = new View(box, places);
  const base = await readBaseMap(view, packing.mapFiles);
  root.add(
    document.struct('Figure', { alt }, () => drawMap(document, view, { base, collected, style: packing.style })),
  );
  document.fillColor('#000000').font('text').fontSize(7);
  document.y = box.top + box.height + 4;
  paragraph(document, root, words.credits(base.credits.join(', ')));
}

function heading(document: PDFKit.PDFDocument, root: Root, text: string): void {
  // Not alone at the end of a page.
  if (document.y > document.page.height - MARGIN - 70) document.addPage();
  root.add(
    document.struct('H2', {}, () => {
      document.fillColor('#000000').font('bold').fontSize(11);
      document
        .text(text, MARGIN, document.y + 8)
        .font('text')
        .fontSize(8);
    }),
  );
  document.y += 3;
}

const column = (key: string, title: string, type: ReportColumnType): ReportColumn => ({
  key,
  title,
  type,
  hasTotal: false,
});

/** Makes the cells of a line from its values, as reports write them. */
const cellsFor =
  (columns: readonly ReportColumn[], { style }: Pick<Packing, 'style'>, zone: string) =>
  (cells: readonly (string | number | null)[]): string[] =>
    columns.map(({ type }, index) => cellText(cells[index] ?? null, type, style, zone));

async function vehicleTable(
  document: PDFKit.PDFDocument,
  root: Root,
  { sent }: Collected,
  packing: Packing,
  zone: string,
): Promise<void> {
  const { columns: heads } = EVIDENCE_WORDS[packing.style.language];
  const columns = [
    column('vehicle', heads.vehicle, 'vehicle'),
    column('reports', heads.reports, 'count'),
    column('first', heads.first, 'moment'),
    column('last', heads.last, 'moment'),
    column('doubted', heads.doubted, 'count'),
    column('late', heads.late, 'count'),
    column('distance', heads.distance, 'distance'),
    column('topSpeed', heads.topSpeed, 'speed'),
  ];
  const table = new PdfTable(document, columns, headsOf({ columns, currency: '', zone }, packing.style));
  const cellsOf = cellsFor(columns, packing, zone);
  for (const { firstMs, lastMs, late, metres, notBelieved, reports, topSpeed, vehicle } of sent) {
    table.line(cellsOf([vehicle.name, reports, iso(firstMs), iso(lastMs), notBelieved, late, metres, topSpeed]));
  }
  await table.draw(root);
}

async function eventTable(
  document: PDFKit.PDFDocument,
  root: Root,
  events: readonly PackEvent[],
  packing: Packing,
  zone: string,
): Promise<void> {
  const words = EVIDENCE_WORDS[packing.style.language];
  const { columns: heads } = words;
  if (events.length === 0) {
    paragraph(document, root, words.noEvents);
    return;
  }
  const columns = [
    column('number', heads.number, 'number'),
    column('from', heads.from, 'moment'),
    column('to', heads.to, 'moment'),
    column('duration', heads.duration, 'duration'),
    column('vehicle', heads.vehicle, 'vehicle'),
    column('what', heads.what, 'place'),
    column('place', heads.place, 'place'),
  ];
  const table = new PdfTable(document, columns, headsOf({ columns, currency: '', zone }, packing.style));
  const cellsOf = cellsFor(columns, packing, zone);
  for (const [nth, { fromMs, place, toMs, vehicle, what }] of events.slice(0, EVENTS).entries()) {
    table.line(cellsOf([nth + 1, iso(fromMs), iso(toMs), (toMs - fromMs) / 1000, vehicle.name, what, place]));
  }
  await table.draw(root);
  if (events.length > EVENTS) paragraph(document, root, words.cut(EVENTS, events.length));
}

async function fileTable(
  document: PDFKit.PDFDocument,
  root: Root,
  files: readonly Attachment[],
  packing: Packing,
): Promise<void> {
  const { columns: heads, files: texts } = EVIDENCE_WORDS[packing.style.language];
  const columns = [
    column('file', heads.file, 'vehicle'),
    column('what', heads.contents, 'text'),
    column('bytes', heads.bytes, 'count'),
    // Never broken, like a day.
    column('hash', heads.hash, 'day'),
    column('rest', '', 'day'),
  ];
  const table = new PdfTable(
    document,
    columns,
    columns.map(({ title }) => title),
  );
  for (const { bytes, name, sha256 } of files) {
    table.line([name, texts[name], String(bytes.length), sha256.slice(0, 32), sha256.slice(32)]);
  }
  await table.draw(root);
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function attachmentsOf({ csv, events, geojson }: Collected): Attachment[] {
  const attachment = (name: Attachment['name'], type: string, text: string): Attachment => {
    const bytes = Buffer.from(text);
    return { name, type, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  };
  return [
    attachment('positions.csv', 'text/csv', csv),
    attachment('events.csv', 'text/csv', eventsCsv(events)),
    attachment('tracks.geojson', 'application/geo+json', geojson),
  ];
}

function eventsCsv(events: readonly PackEvent[]): string {
  const heads = [
    'number',
    'from_utc',
    'to_utc',
    'seconds',
    'vehicle',
    'kind',
    'event',
    'place',
    'latitude',
    'longitude',
  ];
  const rows = events.map(({ at, fromMs, kind, place, toMs, vehicle, what }, nth) => [
    ...[nth + 1, iso(fromMs), iso(toMs), (toMs - fromMs) / 1000, vehicle.name, kind, what, place],
    ...(at === null ? ['', ''] : [at.lat, at.lon]),
  ]);
  return stringify([heads, ...rows], { escape_formulas: true, record_delimiter: 'windows', bom: true });
}

/**
 * Attaches a file to the document (ISO 32000-2, 7.11.4 and 14.13). Compressed here and not by PDFKit, which would keep
 * the server from everything else meanwhile.
 */
async function attach(document: PDFKit.PDFDocument, file: Attachment, description: string, made: Date): Promise<void> {
  const { bytes, name, type } = file;
  const pdf = document as unknown as PdfInternals;
  const stream = pdf.ref({
    Type: 'EmbeddedFile',
    Subtype: type.replaceAll('/', '#2F').replaceAll('+', '#2B'),
    Params: { Size: bytes.length, CreationDate: made, ModDate: made },
    Filter: 'FlateDecode',
  });
  stream.end(await promisify(deflate)(bytes));
  const text = (value: string): object => new String(value);
  const entry = pdf.ref({
    ...{ Type: 'Filespec', AFRelationship: 'Data', F: text(name), UF: text(name), Desc: text(description) },
    EF: { F: stream },
  });
  entry.end();
  pdf.addNamedEmbeddedFile(name, entry);
  pdf._root.data.AF = [...(pdf._root.data.AF ?? []), entry];
}

interface PdfInternals {
  ref(data: object): { end(bytes?: Uint8Array): void };
  addNamedEmbeddedFile(name: string, entry: object): void;
  readonly _root: { readonly data: { AF?: object[] } };
}
