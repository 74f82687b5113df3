import { paths } from '../../paths.ts';
import { PRESETS, type Preset } from './presets.ts';
import { addressQuery, type ReportAddress } from './report-url.ts';

/** Parameter with the name of a saved report's period: "last week" is a different week each time it is opened. */
const PRESET_PARAMETER = 'when';
const REPORT_PARAMETER = 'report';

/** The parameters to save: a named period by its name, any other period by its days. */
export function savedQuery(report: string, address: ReportAddress, preset: Preset | null): string {
  const query = new URLSearchParams(addressQuery(address));
  if (preset) {
    query.delete('from');
    query.delete('to');
    query.set(PRESET_PARAMETER, preset);
  }
  query.set(REPORT_PARAMETER, report);
  return query.toString();
}

export function savedLink(saved: string): string {
  const query = new URLSearchParams(saved);
  const report = query.get(REPORT_PARAMETER) ?? undefined;
  query.delete(REPORT_PARAMETER);
  return paths.reports(report, query.toString());
}

/** The named period of an address; null if the address has days. */
export const presetIn = (parameters: URLSearchParams): Preset | null =>
  PRESETS.find(preset => preset === parameters.get(PRESET_PARAMETER)) ?? null;
