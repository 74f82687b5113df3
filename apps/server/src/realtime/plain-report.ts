import type { TrackerPositionReport } from '@milepost/contract';

/**
 * Whether the contract's schema would take this report as it is. Checking by hand takes a twentieth of the schema's time,
 * and trackers hardly send anything else; what is none goes to the schema, which knows what is wrong with it.
 */
export function isPlainReport(value: object): value is TrackerPositionReport {
  const report = value as { readonly [Field in keyof TrackerPositionReport]: unknown };
  return (
    report.action === 'positionReport' &&
    isNumber(report.lat) &&
    isNumber(report.lon) &&
    isDate(report.reportDate) &&
    isTime(report.reportTime) &&
    (report.speed === undefined || isNumber(report.speed)) &&
    isNumberOrNone(report.course) &&
    isNumberOrNone(report.altitude) &&
    isNumberOrNone(report.hdop) &&
    isNumberOrNone(report.mileage) &&
    isNumberOrNone(report.fuelGage) &&
    isNumberOrNone(report.temp) &&
    (isNone(report.satellites) || Number.isSafeInteger(report.satellites)) &&
    (isNone(report.gsmStatus) || isSignal(report.gsmStatus)) &&
    (isNone(report.ignitionStatus) || report.ignitionStatus === 0 || report.ignitionStatus === 1) &&
    (report.gpsStatus === undefined || report.gpsStatus === 'A' || report.gpsStatus === 'V') &&
    isTextOrNone(report.eventType) &&
    isTextOrNone(report.rfid)
  );
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}:\d{2}$/;
const STRONGEST_SIGNAL = 31;

const isNone = (value: unknown): boolean => value === undefined || value === null;
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isNumberOrNone = (value: unknown): boolean => isNone(value) || isNumber(value);
const isTextOrNone = (value: unknown): boolean => isNone(value) || typeof value === 'string';
const isDate = (value: unknown): boolean => typeof value === 'string' && DATE.test(value);
const isTime = (value: unknown): boolean => typeof value === 'string' && TIME.test(value);
const isSignal = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= STRONGEST_SIGNAL;
