/** Whether this machine knows the zone as one of the IANA database. */
export function isTimeZone(zone: string): boolean {
  // Offsets are not time zones: they have no daylight saving time.
  if (!/^[A-Z]/i.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
