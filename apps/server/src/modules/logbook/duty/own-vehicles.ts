import type { DirectoryEntry } from '../../../fleet/directory.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { DriverTerms } from '../settings/driver-terms.ts';

export type MayDrive = (vehicle: DirectoryEntry) => boolean;

/**
 * Which vehicles a driver may sign in to, by the carrier's choice. A company is an outermost folder: drivers may take
 * vehicles of the companies in which they, or others of their department, have their usual vehicle, and vehicles in no
 * folder. Whoever has no company that way may take any, so that a fleet without folders need not set up anything.
 */
export function mayDriveBy(
  { directory, roster }: Pick<Organisation, 'directory' | 'roster'>,
  accountId: number,
  { carrier, departmentId, driverId }: Pick<DriverTerms, 'carrier' | 'departmentId' | 'driverId'>,
): MayDrive {
  const choice = carrier.vehicleChoice;
  if (choice === 'any') return vehicle => vehicle.accountId === accountId;
  if (choice === 'own') return vehicle => vehicle.accountId === accountId && vehicle.usualDriverId === driverId;
  const near = new Set([driverId]);
  if (departmentId !== null) {
    for (const driver of roster.driversOf(accountId)) if (driver.departmentId === departmentId) near.add(driver.id);
  }
  const companyOf = (vehicle: DirectoryEntry) => roster.outermost('folder', accountId, vehicle.folderId);
  const companies = new Set<number>();
  for (const vehicle of directory.ofAccount(accountId)) {
    const company = vehicle.usualDriverId !== null && near.has(vehicle.usualDriverId) ? companyOf(vehicle) : null;
    if (company !== null) companies.add(company);
  }
  return vehicle => {
    if (vehicle.accountId !== accountId) return false;
    const company = companyOf(vehicle);
    return vehicle.usualDriverId === driverId || company === null || companies.size === 0 || companies.has(company);
  };
}
