import type { DutyAction, LogDay, MyDuty, ShownStatus } from '@milepost/contract';
import type { KeptEntry } from './entry.ts';
import { momentOf } from './moment-of.ts';

type Segment = MyDuty['dutyLog']['segments'][number];

const iso = (ms: number): string => new Date(ms).toISOString();
const DAY_MS = 86_400_000;

/**
 * The log as the driver sees it: as the server last sent it, plus the driver's entries since. Tracker records since
 * then are only on the server, which adds them later.
 */
export function shownDuty(word: MyDuty, waiting: readonly KeptEntry[], nowMs: number): MyDuty {
  let duty = word;
  // A new day may have started in between.
  for (const entry of waiting) {
    const at = momentOf(entry);
    duty = withAction(upTo(duty, Date.parse(at)), entry.action, at);
  }
  // What was just entered counts at once, however old the time on the screen is.
  return upTo(duty, Math.max(nowMs, Date.parse(duty.now)));
}

function withAction(duty: MyDuty, action: DutyAction, at: string): MyDuty {
  switch (action.kind) {
    case 'status':
      return { ...withStatus(duty, action.status, at), question: null };
    case 'confirm':
      return { ...duty, question: null };
    case 'sign-in': {
      const asked = duty.teamRequests.find(({ vehicleId }) => vehicleId === action.vehicleId);
      const vehicle =
        duty.vehicles.find(({ id }) => id === action.vehicleId) ??
        (asked && { id: asked.vehicleId, deviceName: asked.deviceName, plate: null });
      if (!vehicle) return duty;
      const coDriver = action.asCoDriver && asked ? { driverId: asked.driverId, name: asked.name } : null;
      const { deviceName, id, plate } = vehicle;
      return {
        ...duty,
        vehicle: {
          ...{ id, deviceName, plate, vin: null, isMoving: false, reportAt: null },
          ...{ coDriver, isDriving: !action.asCoDriver },
        },
        teamRequests: duty.teamRequests.filter(({ vehicleId }) => vehicleId !== id),
      };
    }
    case 'sign-out':
      return { ...withStatus(duty, action.status, at), vehicle: null, question: null, unclaimed: [] };
    case 'co-driver':
      return withDriving(duty, action.coDriverId);
    case 'ask-co-driver': {
      const asked = duty.coDrivers.find(({ driverId }) => driverId === action.coDriverId);
      return { ...duty, askedCoDriver: asked?.name ?? null };
    }
    case 'decline-co-driver':
      return { ...duty, teamRequests: duty.teamRequests.filter(({ driverId }) => driverId !== action.driverId) };
    case 'take-over':
      return { ...duty, handedOver: duty.handedOver.filter(({ record }) => record !== action.record) };
    case 'load':
      return { ...duty, trailers: action.trailers, shippingDocument: action.shippingDocument };
    case 'certify':
      return {
        ...duty,
        toCertify: duty.toCertify.filter(date => !action.dates.includes(date)),
        days: duty.days.map(day => (action.dates.includes(day.date) ? certified(day, at) : day)),
      };
    case 'answer':
      return { ...duty, days: duty.days.map(day => answered(day, action.proposal)) };
    case 'claim':
      return { ...duty, unclaimed: duty.unclaimed.filter(({ record }) => record !== action.record) };
    case 'declare':
      return {
        ...duty,
        dutyLog: {
          ...duty.dutyLog,
          declarations: [...duty.dutyLog.declarations, { exception: action.exception, start: at, end: null }],
        },
      };
    case 'end-exemption':
      return withoutExemption(duty, action.exception, at);
    case 'review-inspection':
      return duty.inspection?.id === action.report ? { ...duty, inspection: null } : duty;
    default:
      // Remarks, edits and inspection reports show only as waiting entries.
      return duty;
  }
}

/** Sets who drives from now on. Null: the team has ended, and the co-driver is signed out of the vehicle. */
function withDriving(duty: MyDuty, driverId: string | null): MyDuty {
  const { vehicle } = duty;
  if (!vehicle) return duty;
  if (driverId !== null) return { ...duty, vehicle: { ...vehicle, isDriving: driverId === duty.driver.driverId } };
  return { ...duty, vehicle: vehicle.isDriving ? { ...vehicle, coDriver: null } : null };
}

/** Ends the last one that is still open; earlier ones ended with their shift. */
function withoutExemption(duty: MyDuty, exception: string, at: string): MyDuty {
  const { declarations } = duty.dutyLog;
  const last = declarations.findLastIndex(
    ({ end, exception: name, start }) => name === exception && end === null && start < at,
  );
  const open = declarations[last];
  if (!open) return duty;
  return { ...duty, dutyLog: { ...duty.dutyLog, declarations: declarations.with(last, { ...open, end: at }) } };
}

const certified = (day: LogDay, at: string): LogDay => ({
  ...day,
  certification: { count: day.certification.count + 1, lastAt: at, changedSince: false },
});

function answered(day: LogDay, proposal: string): LogDay {
  const records = day.records.map(record =>
    record.id === proposal && record.state === 'change-requested'
      ? { ...record, state: 'change-rejected' as const }
      : record,
  );
  const open = records.filter(({ state }) => state === 'change-requested').length;
  return day.records.some(({ id }) => id === proposal) ? { ...day, records, proposals: open } : day;
}

function withStatus(duty: MyDuty, status: ShownStatus, at: string): MyDuty {
  if (duty.row.status === status && duty.row.since !== null) return duty;
  const { segments } = duty.dutyLog;
  return {
    ...duty,
    row: { ...duty.row, status, since: at },
    dutyLog: { ...duty.dutyLog, segments: withSegment(segments, status, at) },
    days: duty.days.map((day, index) => (index === 0 ? withStatusInDay(day, status, at) : day)),
  };
}

/** Adds a status from `at` on, which ends the previous one. */
function withSegment(segments: readonly Segment[], status: ShownStatus, at: string): Segment[] {
  const atMs = Date.parse(at);
  const earlier = segments.filter(({ start }) => Date.parse(start) < atMs);
  const last = earlier.at(-1);
  const kept =
    last && (last.end === null || Date.parse(last.end) >= atMs) ? earlier.with(-1, { ...last, end: at }) : earlier;
  // The log must have no gap: the last status lasts until the next one begins.
  const joined = last && kept.at(-1) === last ? kept.with(-1, { ...last, end: at }) : kept;
  return [...joined, { status, start: at, end: null }];
}

function withStatusInDay(day: LogDay, status: ShownStatus, at: string): LogDay {
  const atMs = Math.max(Date.parse(at), Date.parse(day.from));
  const from = iso(atMs);
  const before = day.segments
    .filter(segment => Date.parse(segment.from) < atMs)
    .map((segment, index, all) => (index === all.length - 1 ? { ...segment, to: from } : segment));
  return {
    ...day,
    through: from,
    segments: [...before, { status, from, to: from, record: null }],
  };
}

/** Extends the current status until now, also past midnight. */
function upTo(duty: MyDuty, nowMs: number): MyDuty {
  const days = [...duty.days];
  const toCertify = [...duty.toCertify];
  for (let [today] = days; today && nowMs >= Date.parse(today.to) && days.length < 40; [today] = days) {
    days[0] = until(today, Date.parse(today.to));
    days.unshift(emptyDayAfter(today, duty.row.status));
    // A log that has begun is certified day by day (`daysToCertify` of the server).
    if (duty.row.since !== null) toCertify.push(today.date);
  }
  const [today] = days;
  if (today) days[0] = until(today, Math.max(nowMs, Date.parse(today.through)));
  return { ...duty, now: iso(nowMs), days, toCertify };
}

function until(day: LogDay, toMs: number): LogDay {
  const last = day.segments.at(-1);
  if (!last || Date.parse(last.to) >= toMs)
    return withTotals({ ...day, through: iso(Math.max(toMs, Date.parse(day.from))) });
  return withTotals({ ...day, through: iso(toMs), segments: day.segments.with(-1, { ...last, to: iso(toMs) }) });
}

function emptyDayAfter(day: LogDay, status: ShownStatus): LogDay {
  const fromMs = Date.parse(day.to);
  return {
    ...day,
    date: iso(Date.parse(`${day.date}T00:00:00Z`) + DAY_MS).slice(0, 10),
    from: day.to,
    to: iso(fromMs + DAY_MS),
    through: day.to,
    segments: [{ status, from: day.to, to: day.to, record: null }],
    distanceKm: null,
    drives: [],
    records: [],
    violations: [],
    certification: { count: 0, lastAt: null, changedSince: false },
    formErrors: [],
    proposals: 0,
  };
}

/** Personal use counts as off duty, yard moves as on duty. */
const LINE_OF = { OFF: 'OFF', SB: 'SB', D: 'D', ON: 'ON', PC: 'OFF', YM: 'ON' } as const satisfies Record<
  ShownStatus,
  string
>;

function withTotals(day: LogDay): LogDay {
  const totals = { OFF: 0, SB: 0, D: 0, ON: 0 };
  for (const { from, status, to } of day.segments)
    totals[LINE_OF[status]] += (Date.parse(to) - Date.parse(from)) / 1000;
  return { ...day, totals };
}
