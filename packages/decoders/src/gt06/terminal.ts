/** The terminal's state: bits, battery, signal. */

interface TerminalInformation {
  readonly ignition: boolean;
  /** The relay has cut fuel or power. */
  readonly cutOff: boolean;
  readonly charging: boolean;
  readonly armed: boolean;
  /** Bits 3–5: the alarm, in older packets. */
  readonly alarm: number;
}

/** "Terminal Information": bit 7 cut off, 6 GPS on, 5–3 alarm, 2 charging, 1 ACC, 0 armed. */
export const terminalInformation = (byte: number): TerminalInformation => ({
  cutOff: (byte & 0b1000_0000) !== 0,
  alarm: (byte & 0b0011_1000) >> 3,
  charging: (byte & 0b0000_0100) !== 0,
  ignition: (byte & 0b0000_0010) !== 0,
  armed: (byte & 0b0000_0001) !== 0,
});

/** "Voltage Level", 0 no power … 6 full, converted to percent. Some trackers send percent directly. */
export const BATTERY_LEVELS = [0, 17, 33, 50, 67, 83, 100] as const;
export const batteryLevel = (byte: number): number | null => BATTERY_LEVELS[byte] ?? (byte <= 100 ? byte : null);

/** "GSM Signal Strength", 0 none … 4 strong, on the scale 0–31. */
export const GSM_LEVELS = [0, 8, 16, 23, 31] as const;
const MAX_CSQ = 31;

/** Some trackers send 0–31 directly, others percent. */
export function gsmSignal(byte: number): number | null {
  const level = GSM_LEVELS[byte];
  if (level !== undefined) return level;
  if (byte <= MAX_CSQ) return byte;
  return byte <= 100 ? Math.round((byte * MAX_CSQ) / 100) : null;
}
