import { alarm, blindSpots, confirmation, located, otherKeyword, report, type TextReader } from './report.ts';
import { heartbeat, link, neighbours, sim, stations, towers, watchTowers } from './without-fix.ts';

export const answer: TextReader = fields => [{ kind: 'reply', text: fields.slice(1).join(','), reference: null }];

/** V0: the login of some makers, without content; of others, a report. */
const greeting: TextReader = (fields, receivedAt) =>
  fields.length === 1 ? [{ kind: 'heartbeat', attributes: {} }] : otherKeyword(fields, receivedAt);

interface Keyword {
  readonly read: TextReader;
  readonly what: string;
  /** The tracker waits for its own frame to come back (Cantrack). */
  readonly echoed?: true;
  /** The tracker waits for `R12` with the time (SinoTrack). */
  readonly confirmed?: true;
}

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  V0: { read: greeting, what: 'login', echoed: true },
  V1: { read: report, what: 'report' },
  V2: { read: report, what: 'report' },
  V5: { read: stations, what: 'Wi-Fi stations, or a report' },
  V6: { read: report, what: 'report with the SIM', confirmed: true },
  V8: { read: report, what: 'report with signals and the battery', confirmed: true },
  V19: { read: report, what: 'report with telephone number and SIM' },
  V4: { read: confirmation, what: 'confirmation of a command, with a report' },
  V3: { read: towers, what: 'towers, or a report' },
  NBR: { read: neighbours, what: 'towers' },
  VI1: { read: located, what: 'report, with a request for an address' },
  BC: { read: blindSpots, what: 'reports stored while offline' },
  VP1: { read: watchTowers, what: 'report without a clock, or towers' },
  LINK: { read: link, what: 'signal, satellites, battery' },
  ALRM: { read: alarm, what: 'alarm, with a report' },
  HTBT: { read: heartbeat, what: 'sign of life, with the battery', echoed: true },
  XT: { read: heartbeat, what: 'sign of life, with the battery' },
  ICCID: { read: sim, what: 'the SIM' },
  SMS: { read: answer, what: 'answer to a text command' },
};
