import type { Vehicle } from '@milepost/contract';
import { VEHICLE_STATUSES } from '@milepost/geo';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { protocolName } from '../../../vehicles/protocol-name.ts';
import { toldMs } from '../../../vehicles/shown.ts';
import { driverOf, modelOf, odometerOf } from '../../../vehicles/vehicle-words.ts';
import type { ColumnId } from '../columns/column-ids.ts';
import { type FleetFacts, trackedS } from '../facts.ts';

/** Few names have letters for which lower case isn't enough. */
const ACCENTED = /[\u0080-\uffff]/;
const kept = new WeakMap<Vehicle, string>();

/**
 * Text that sorts the way people expect: `Truck 9` before `Truck 10`, ignoring case and accents. A collator does the
 * same, but is too slow for thousands of rows several times a minute.
 */
export function textKey(text: string): string {
  const lower = text.toLowerCase();
  const plain = ACCENTED.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower;
  return plain.replace(/\d+/g, digits => digits.padStart(12, '0'));
}

/** The vehicle's name, then its IMEI, so that no two keys are equal. */
export function nameKey(vehicle: Vehicle): string {
  const known = kept.get(vehicle);
  if (known !== undefined) return known;
  const key = `${textKey(vehicle.deviceName)} ${vehicle.imei}`;
  kept.set(vehicle, key);
  return key;
}

const textOr = (text: string | null | undefined): string | null => (text ? textKey(text) : null);

/** What a column is sorted by; null comes last in both directions. */
export function sortKey(column: ColumnId, entry: VehicleEntry, facts: FleetFacts): string | number | null {
  const { vehicle, report, now, fixMs } = entry;
  switch (column) {
    case 'unit':
      return nameKey(vehicle);
    case 'status':
      return VEHICLE_STATUSES.indexOf(now.status);
    case 'driver':
      return textOr(driverOf(entry)?.name);
    case 'duty':
      return textOr(facts.hoursOf?.(entry)?.status);
    case 'hours':
      return facts.hoursOf?.(entry)?.clocks.drive.leftS ?? null;
    case 'task': {
      const task = facts.taskOf?.(entry);
      return task
        ? Date.parse(task.eta?.arriveAt ?? task.dueTo ?? task.dueFrom ?? '') || Number.MAX_SAFE_INTEGER
        : null;
    }
    case 'place':
      // Vehicles near a town sort with that town.
      return textOr(report?.near?.town ?? report?.address);
    case 'inside':
      return textOr(facts.insideOf?.(vehicle)[0]?.name);
    case 'speed':
      // An outdated speed counts as no speed.
      return now.status === 'moving' ? (report?.speed ?? null) : null;
    case 'since':
      // Negative, so that descending order puts the longest first.
      return now.sinceMs === null ? null : -now.sinceMs;
    case 'age': {
      const told = toldMs(entry);
      return told === null ? null : -told;
    }
    case 'ignition':
      return report?.ignitionStatus ?? null;
    case 'fuel':
      return report?.fuelGage ?? null;
    case 'temperature':
      return report?.temp ?? null;
    case 'gsm':
      return report?.gsmStatus ?? null;
    case 'gps':
      return report === null || fixMs === null ? null : report.gpsStatus === 'V' ? -1 : (report.satellites ?? 0);
    case 'odometer':
      return odometerOf(entry);
    case 'today':
      return facts.sumsOf(vehicle)?.distanceM ?? null;
    case 'idled':
      return facts.sumsOf(vehicle)?.idlingS ?? null;
    case 'driven':
      return facts.sumsOf(vehicle)?.movingS ?? null;
    case 'inuse':
      return facts.sumsOf(vehicle)?.inUse ?? null;
    case 'stops':
      return facts.sumsOf(vehicle)?.stops ?? null;
    case 'topspeed':
      return facts.sumsOf(vehicle)?.maxSpeedMps ?? null;
    case 'tracked':
      return trackedS(facts.sumsOf(vehicle));
    case 'doubts':
      return facts.sumsOf(vehicle)?.leftOut ?? null;
    case 'began':
      return facts.sumsOf(vehicle)?.alerts ?? null;
    case 'alerts':
      return facts.alertsOf(vehicle)?.count ?? null;
    case 'folder':
      return facts.folderOf(vehicle)?.order ?? null;
    case 'tags':
      return textOr(vehicle.tags.join(', '));
    case 'vehicle':
      return textOr(modelOf(vehicle));
    case 'plate':
      return textOr(vehicle.plate);
    case 'vin':
      return textOr(vehicle.vin);
    case 'tracker':
      return textOr(vehicle.trackerModel);
    case 'protocol':
      return textOr(protocolName(vehicle.protocol));
    case 'imei':
      return vehicle.imei;
    case 'documents':
      return vehicle.documentsExpireOn;
    case 'days':
      return vehicle.daysRemaining;
  }
}
