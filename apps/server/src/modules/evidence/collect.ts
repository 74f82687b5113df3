import { EVIDENCE_POSITIONS_MAX, may } from '@milepost/contract';
import { distanceMetres, isTrackGap } from '@milepost/geo';
import { degrees } from '@milepost/units';
import { AppError } from '../../app-error.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { csvOf } from '../history/track-files/csv.ts';
import { geojsonOf } from '../history/track-files/geojson.ts';
import { linesOf, type Period, pointsOf, type TrackPoint, type VehicleTrack } from '../history/track-files/points.ts';
import { legsBetween, partsKept, partsSeen } from '../history/trips/trips.ts';
import { TEXTS } from '../notifications/texts/texts.ts';
import { alertItems } from '../reports/alert-items.ts';
import { placeIn } from '../reports/files/cells.ts';
import type { FileStyle, ReportViewer } from '../reports/reader.ts';
import type { Asked, ReportSources } from '../reports/report.ts';
import { visitParts } from '../reports/visit-parts.ts';
import { EVIDENCE_WORDS } from './words.ts';

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** What a vehicle sent in the period, for the map and the table of vehicles. */
export interface Sent {
  readonly vehicle: DirectoryEntry;
  /** Where it was for sure; after each line there was silence. */
  readonly lines: readonly (readonly Place[])[];
  readonly reports: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly notBelieved: number;
  readonly late: number;
  readonly metres: number;
  /** m/s */
  readonly topSpeed: number | null;
}

export interface PackEvent {
  readonly kind: 'trip' | 'stop' | 'gap' | 'alert' | 'visit';
  readonly vehicle: DirectoryEntry;
  readonly fromMs: number;
  readonly toMs: number;
  readonly what: string;
  readonly place: string;
  readonly at: Place | null;
}

export interface Collected {
  readonly sent: readonly Sent[];
  readonly events: readonly PackEvent[];
  readonly csv: string;
  readonly geojson: string;
  /** Their trips are still being counted. */
  readonly behind: readonly DirectoryEntry[];
}

export interface Collecting {
  readonly sources: ReportSources;
  readonly viewer: ReportViewer;
  readonly style: FileStyle;
  readonly vehicles: readonly DirectoryEntry[];
  readonly period: Period;
  /** What is known until then. */
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly progress: (vehicles: number) => Promise<void>;
}

/** Everything that goes into a pack, within what the reader may see. */
export async function collect(collecting: Collecting): Promise<Collected> {
  const { progress, signal, vehicles } = collecting;
  const sent: Sent[] = [];
  const tracks: VehicleTrack[] = [];
  let room = EVIDENCE_POSITIONS_MAX;
  for (const [nth, vehicle] of vehicles.entries()) {
    const pages = await pagesOf(collecting, vehicle, room);
    room -= pages.reduce((sum, page) => sum + page.length, 0);
    tracks.push(trackOf(collecting, vehicle, pages));
    sent.push(await sentOf(vehicle, pages));
    signal.throwIfAborted();
    await progress(nth);
  }
  return {
    sent,
    ...(await eventsOf(collecting)),
    csv: await textOf(csvOf(each(tracks))),
    geojson: await textOf(geojsonOf(each(tracks))),
  };
}

async function pagesOf(
  { period, sources, viewer }: Collecting,
  vehicle: DirectoryEntry,
  room: number,
): Promise<(readonly TrackPoint[])[]> {
  const { visibility } = sources.parts;
  const isSeen = (one: DirectoryEntry, rfid: string | null, atMs: number) =>
    visibility.seesPosition(viewer, one, rfid, atMs);
  const pages: (readonly TrackPoint[])[] = [];
  let count = 0;
  for await (const page of pointsOf(sources.db, vehicle, period, isSeen)) {
    count += page.length;
    if (count > room) throw new AppError('evidence-too-much', { limit: EVIDENCE_POSITIONS_MAX });
    pages.push(page);
  }
  return pages;
}

function trackOf({ sources }: Collecting, vehicle: DirectoryEntry, pages: readonly (readonly TrackPoint[])[]) {
  const { driverOfCard } = sources.parts.reportContext;
  return {
    vehicle,
    pages: () => each(pages),
    lines: () => linesOf(each(pages)),
    driverOf: (rfid: string) => driverOfCard(vehicle.accountId, rfid)?.name ?? null,
  };
}

async function sentOf(vehicle: DirectoryEntry, pages: readonly (readonly TrackPoint[])[]): Promise<Sent> {
  const points = pages.flat();
  const believed = points.filter(({ doubts, valid }) => valid && doubts === 0);
  const lines: Place[][] = [];
  let metres = 0;
  let last: TrackPoint | null = null;
  for (const point of believed) {
    if (last && !isTrackGap(placeOf(last), placeOf(point))) {
      metres += distanceMetres(placeOf(last), placeOf(point));
      lines.at(-1)?.push(point);
    } else lines.push([point]);
    last = point;
  }
  return {
    vehicle,
    lines,
    reports: points.length,
    firstMs: points[0]?.timeMs ?? null,
    lastMs: points.at(-1)?.timeMs ?? null,
    notBelieved: points.length - believed.length,
    late: points.filter(({ late }) => late).length,
    metres,
    topSpeed: believed.reduce<number | null>(
      (top, { speed }) => (speed === null ? top : Math.max(top ?? 0, speed)),
      null,
    ),
  };
}

/** Trips, stops and silence, alerts, and visits to geofences that overlap the period, in the order of time. */
async function eventsOf(collecting: Collecting): Promise<Pick<Collected, 'events' | 'behind'>> {
  const { nowMs, period, sources, style, vehicles, viewer } = collecting;
  const { figures, visibility } = sources.parts;
  const { accountId } = viewer;
  const words = EVIDENCE_WORDS[style.language];
  const calendar = figures.calendar(accountId);
  const [fromMs, toMs] = [period.from.getTime(), Math.min(period.to.getTime(), nowMs)];
  const named = (place: Place | null): string => {
    const cell = sources.placeOf(place);
    return cell === null ? '' : placeIn(cell, style);
  };
  const whole = vehicles.filter(vehicle => visibility.holdsVehicle(viewer, vehicle));
  const events: PackEvent[] = [];
  for (const vehicle of vehicles) {
    const isSeen = (rfid: string | null, atMs: number) => visibility.seesPosition(viewer, vehicle, rfid, atMs);
    const legs = await sources.db.asAccount(accountId, trx =>
      legsBetween(
        whole.includes(vehicle)
          ? partsKept(trx, figures, vehicle, calendar, nowMs)
          : partsSeen(trx, vehicle.id, calendar, nowMs, isSeen),
        calendar,
        { fromMs, toMs },
      ),
    );
    for (const leg of withoutOuterGaps(legs)) {
      const place = leg.start;
      const what = leg.kind === 'trip' ? words.trip(named(leg.end)) : leg.kind === 'stop' ? words.stop : words.gap;
      events.push({ kind: leg.kind, vehicle, fromMs: leg.from, toMs: leg.to, what, place: named(place), at: place });
    }
  }
  const asked: Asked = {
    ...{ session: viewer, language: style.language, calendar, nowMs, vehicles: whole, seesPosition: null, sources },
    ...{ from: calendar.dayOf(fromMs), to: calendar.dayOf(toMs), groupBy: null, namesVehicles: true },
    bucketOf: day => day,
    option: () => 0,
  };
  if (may(viewer, 'alerts.read')) {
    for await (const batch of alertItems(asked)) {
      for (const { alert, evidence, vehicle } of batch) {
        if (!vehicle || !evidence) continue;
        const { event, kind, lat, lon, rule } = alert;
        const texts = TEXTS[style.language];
        const what = rule?.name ?? texts.event[event ?? ''] ?? texts.kind[kind as keyof typeof texts.kind];
        const at = lat === null || lon === null ? null : { lat, lon };
        events.push({ kind: 'alert', vehicle, ...evidence, what: words.alert(what), place: named(at), at });
      }
    }
  }
  if (may(viewer, 'geofences.read')) {
    const visits = await sources.db.asAccount(accountId, trx => visitParts(trx, asked, whole));
    for (const { geofence, inMs, outMs, vehicle } of visits) {
      const what = words.inside(geofence.name);
      events.push({ kind: 'visit', vehicle, fromMs: inMs, toMs: outMs ?? nowMs, what, place: geofence.name, at: null });
    }
  }
  return {
    events: events
      .filter(event => event.fromMs <= toMs && event.toMs >= fromMs)
      .toSorted((a, b) => a.fromMs - b.fromMs || a.vehicle.id - b.vehicle.id),
    behind: whole.filter(({ id }) => figures.manager.isBehindBefore(id, toMs)),
  };
}

/** Of the time before a vehicle's first report, or after its last, there is nothing to say. */
function withoutOuterGaps<Leg extends { readonly kind: string }>(legs: readonly Leg[]): readonly Leg[] {
  const first = legs.findIndex(({ kind }) => kind !== 'gap');
  return first === -1 ? [] : legs.slice(first, legs.findLastIndex(({ kind }) => kind !== 'gap') + 1);
}

const placeOf = ({ lat, lon, timeMs }: TrackPoint) => ({ lat: degrees(lat), lon: degrees(lon), timeMs });

async function* each<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
