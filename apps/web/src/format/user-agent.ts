/**
 * Browsers by a name in their user agent, the specific ones first: Edge also says Chrome, and Chrome also says Safari.
 */
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
] as const;

const named = (list: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(userAgent))?.[1];

export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
  readonly mobile: boolean;
}

/** Browser and system from a user agent, enough for users to recognize their own devices. */
export function deviceOf(userAgent: string): Device {
  const system = named(SYSTEMS, userAgent) ?? null;
  return {
    browser: named(BROWSERS, userAgent) ?? null,
    system,
    mobile: system === 'iPhone' || system === 'iPad' || system === 'Android',
  };
}

/** Suggested name for a new passkey: `Windows, Chrome`. */
export function deviceName(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent);
  return [system, browser].filter(part => part !== null).join(', ');
}
