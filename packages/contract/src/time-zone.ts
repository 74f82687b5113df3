/** A zone of the IANA database, as this machine knows it. */
export function isTimeZone(zone: string): boolean {
  // Offsets are no zones: they know nothing of summer time.
  if (!/^[A-Z]/i.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
