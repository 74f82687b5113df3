import { pointsToKeep } from '@milepost/geo';
import type { FileStyle } from '../reports/reader.ts';
import type { BaseMap } from './base-map.ts';
import type { Collected, PackEvent, Sent } from './collect.ts';
import { drawBase, drawLabel, drawPlaces, Taken, tracePath } from './map-drawing.ts';
import type { At, View } from './view.ts';

/** The colors of vehicles in the replay, in its order. */
const COLORS = ['#01579b', '#0b8a7e', '#c2670c', '#7a4fc4', '#a33a68'] as const;
const ALERT = '#bd1f2b';
const STOP = '#2f5fb3';
const INK = '#13202e';
/** A tenth of a point is less than any printer shows. */
const TOLERANCE = 0.1;
const NUMBERS = 80;

interface Drawing {
  readonly base: BaseMap;
  readonly collected: Collected;
  readonly style: FileStyle;
}

/** The map of a pack: the land from this server's files, the tracks, and the numbers of the events. */
export function drawMap(document: PDFKit.PDFDocument, view: View, { base, collected, style }: Drawing): void {
  const { box } = view;
  const taken = new Taken(box);
  document.save();
  document.rect(box.left, box.top, box.width, box.height).clip();
  drawBase(document, view, base);
  for (const [nth, sent] of collected.sent.entries()) drawTrack(document, view, sent, colorOf(nth));
  for (const [nth, { lines, vehicle }] of collected.sent.entries()) {
    const [first, last] = [lines[0]?.[0], lines.at(-1)?.at(-1)];
    if (!first || !last) continue;
    const [start, end] = [view.at(first.lat, first.lon), view.at(last.lat, last.lon)];
    for (const [x, y] of [start, end]) taken.take({ left: x - 4, top: y - 4, width: 8, height: 8 });
    document
      .circle(...start, 3.6)
      .lineWidth(1.8)
      .fillAndStroke('#ffffff', colorOf(nth));
    document
      .circle(...end, 4.2)
      .lineWidth(1.4)
      .fillAndStroke(colorOf(nth), '#ffffff');
    const look = { size: 8, color: colorOf(nth), font: 'bold', taken } as const;
    [11, -11, 22, -22].some(away => drawLabel(document, vehicle.name, [end[0], end[1] + away], look));
  }
  drawNumbers(document, view, collected.events, taken);
  drawPlaces(document, view, base, taken);
  drawScale(document, view, style);
  document.restore();
  document.rect(box.left, box.top, box.width, box.height).lineWidth(0.6).stroke('#7d8b9a');
}

const colorOf = (nth: number): string => COLORS[nth % COLORS.length] as string;

function drawTrack(document: PDFKit.PDFDocument, view: View, { lines }: Sent, color: string): void {
  const drawn = lines.map(line => {
    const ats = line.map(({ lat, lon }) => view.at(lat, lon));
    return pointsToKeep(ats, TOLERANCE).map(i => ats[i] as At);
  });
  const stroke = (width: number, ink: string): void => {
    for (const line of drawn) tracePath(document, line, false);
    document.lineWidth(width).lineCap('round').lineJoin('round').stroke(ink);
  };
  stroke(4.2, '#ffffff');
  stroke(2.4, color);
  // Across silence, where the way is not known.
  document.dash(3, { space: 4 });
  for (const [i, line] of drawn.entries()) {
    const [from, to] = [line.at(-1), drawn[i + 1]?.[0]];
    if (from && to) tracePath(document, [from, to], false);
  }
  document.lineWidth(1.3).stroke(color);
  document.undash();
}

/** Where an event of the table was, by its number, as long as there is room. */
function drawNumbers(document: PDFKit.PDFDocument, view: View, events: readonly PackEvent[], taken: Taken): void {
  const numbered = events
    .map((event, nth) => ({ event, number: String(nth + 1) }))
    .filter(({ event: { at, kind } }) => at !== null && (kind === 'alert' || kind === 'stop'))
    // Where there is no room for both, an alert is worth more than a stop.
    .toSorted((a, b) => Number(b.event.kind === 'alert') - Number(a.event.kind === 'alert'));
  for (const { event, number } of numbered.slice(0, NUMBERS)) {
    if (event.at === null) continue;
    const [x, y] = view.at(event.at.lat, event.at.lon);
    const radius = 5.2;
    if (!taken.take({ left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius })) continue;
    const color = event.kind === 'alert' ? ALERT : STOP;
    if (event.kind === 'alert') document.circle(x, y, radius);
    else document.roundedRect(x - radius, y - radius, 2 * radius, 2 * radius, 2);
    document.lineWidth(1).fillAndStroke(color, '#ffffff');
    document.font('bold').fontSize(number.length > 2 ? 4.5 : 6);
    const width = document.widthOfString(number);
    document.fillColor('#ffffff').text(number, x - width / 2, y - 3.4, { lineBreak: false });
  }
}

const MILE = 1609.344;

/** A bar of a round length, in the reader's unit; north is up. */
function drawScale(document: PDFKit.PDFDocument, view: View, { distanceUnit }: FileStyle): void {
  const { box, metresPerPoint } = view;
  const unit = distanceUnit === 'mi' ? MILE : 1000;
  const longest = (120 * metresPerPoint) / unit;
  const power = 10 ** Math.floor(Math.log10(longest));
  const length = [5, 2, 1].map(step => step * power).find(step => step <= longest) ?? power;
  const width = (length * unit) / metresPerPoint;
  const [right, bottom] = [box.left + box.width - 10, box.top + box.height - 10];
  document
    .rect(right - width - 8, bottom - 17, width + 16, 23)
    .fillOpacity(0.85)
    .fill('#ffffff')
    .fillOpacity(1);
  document.moveTo(right - width, bottom - 4).lineTo(right - width, bottom);
  document
    .lineTo(right, bottom)
    .lineTo(right, bottom - 4)
    .lineWidth(1)
    .stroke(INK);
  const text = `${Number(length.toPrecision(3))} ${distanceUnit}`;
  document.font('text').fontSize(7).fillColor(INK);
  document.text(text, right - width / 2 - document.widthOfString(text) / 2, bottom - 13, { lineBreak: false });
}
