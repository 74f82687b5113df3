/** Values for a problem's text. A name ends in the unit: `waitS`, `limitBytes`, `maxKm`, `minM`, `maxKmh`, `maxL`. */
export type ProblemParams = Readonly<Record<string, string | number>>;

/** The placeholders in a text. */
export type ParamNames<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** The params that a text needs; others are allowed. */
export type ParamsOf<T extends string> = ProblemParams & { readonly [N in ParamNames<T>]: string | number };

/** Params as an argument: required if the text has placeholders. */
export type ParamsArgument<T extends string> = [ParamNames<T>] extends [never]
  ? [params?: ProblemParams]
  : [params: ParamsOf<T>];

export const PARAM_UNITS = ['S', 'Bytes', 'Km', 'M', 'Kmh', 'L'] as const;
export type ParamUnit = (typeof PARAM_UNITS)[number];

/** The unit at the end of a param's name; null for a plain number or text. */
export function paramUnit(name: string): ParamUnit | null {
  const unit = /[a-z](S|Bytes|Kmh|Km|M|L)$/.exec(name)?.[1];
  return PARAM_UNITS.find(each => each === unit) ?? null;
}

/** The API's error message in English and SI units. The web app has its own texts, by code. */
export const englishText = (text: string, params: ProblemParams): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === 'string' ? value : inUnit(value, paramUnit(name));
  });

function inUnit(value: number, unit: ParamUnit | null): string {
  const number = value.toLocaleString('en-US');
  switch (unit) {
    case 'S':
      return duration(value);
    case 'Bytes':
      return value >= 1024 ** 2 ? `${Math.floor(value / 1024 ** 2)} MB` : `${Math.floor(value / 1024)} kB`;
    case 'Km':
      return `${number} km`;
    case 'M':
      return value >= 1000 && value % 1000 === 0 ? `${(value / 1000).toLocaleString('en-US')} km` : `${number} m`;
    case 'Kmh':
      return `${number} km/h`;
    case 'L':
      return `${number} L`;
    case null:
      return number;
  }
}

/** Rounded up to a whole unit, so that waiting this long is always enough. */
export function wholeDuration(seconds: number): {
  readonly value: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day';
} {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return { value: whole, unit: 'second' };
  const minutes = Math.ceil(whole / 60);
  if (minutes < 60) return { value: minutes, unit: 'minute' };
  const hours = Math.ceil(minutes / 60);
  return hours <= 24 ? { value: hours, unit: 'hour' } : { value: Math.ceil(hours / 24), unit: 'day' };
}

function duration(seconds: number): string {
  const { value, unit } = wholeDuration(seconds);
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}
