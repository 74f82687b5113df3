import { hasLetters, letters } from '../bytes.ts';
import { numberOf } from '../nmea.ts';
import { unread } from '../outcome.ts';
import type { Attributes, DecodedMessage } from '../protocol.ts';
import { locationIn, readLocation } from './place.ts';

/** The content of a frame: its word, and its fields, of which the first is the word. */
export interface Content {
  readonly word: string;
  readonly fields: readonly string[];
  readonly bytes: Uint8Array;
}

export interface Word {
  readonly what: string;
  readonly read: (content: Content) => readonly DecodedMessage[];
  /** What the watch waits for; null if it waits for nothing. */
  readonly answer: ((content: Content) => string | null) | null;
}

const MOST_TEXT = 1000;
const COMMA = 0x2c;

const status = (attributes: Attributes): readonly DecodedMessage[] => [
  { kind: 'status', time: null, event: null, attributes },
];
const noted = (values: Readonly<Record<string, number | null>>): Attributes =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== null));
/** "0 means invalid". */
const measured = (field: string | undefined): number | null => {
  const value = numberOf(field);
  return value === null || value <= 0 ? null : value;
};

/** "Link Keep": nothing, or steps, turns in sleep and battery; some leave out the turns. */
const link: Word['read'] = ({ fields }) => {
  if (fields.length < 3) return [{ kind: 'heartbeat', attributes: {} }];
  const [steps, level] = [numberOf(fields[1]), numberOf(fields[Math.min(fields.length - 1, 3)])];
  const batteryLevel = level === null || level < 0 || level > 100 ? null : level;
  return [{ kind: 'heartbeat', attributes: noted({ steps, batteryLevel }) }];
};

const unreadable = ({ word, bytes }: Content): readonly DecodedMessage[] => [
  unread('bad-field', word, bytes.subarray(Math.min(word.length + 1, bytes.length))),
];

const location =
  (isAlarm: boolean): Word['read'] =>
  content => {
    const at = locationIn(content.fields);
    return at < 0 ? unreadable(content) : [readLocation(content.fields, at, isAlarm)];
  };

/** Any other word: its location if it has one, otherwise its text. */
const other: Word['read'] = ({ word, fields, bytes }) => {
  const at = locationIn(fields);
  if (at >= 0) return [readLocation(fields, at, false)];
  if (!hasLetters(bytes)) return [unread('unknown-type', word, bytes.subarray(word.length))];
  return status({ text: letters(bytes).slice(0, MOST_TEXT) });
};

const reply: Word['read'] = ({ fields, bytes }) => {
  const at = locationIn(fields);
  return [
    { kind: 'reply', text: letters(bytes).slice(0, MOST_TEXT), reference: null },
    ...(at < 0 ? [] : [readLocation(fields, at, false)]),
  ];
};

/** Bytes after the comma with this number, from 1. */
function behindComma(bytes: Uint8Array, number: number): Uint8Array {
  let at = 0;
  for (let commas = 0; commas < number; commas++) {
    const comma = bytes.indexOf(COMMA, at);
    if (comma < 0) return bytes.subarray(bytes.length);
    at = comma + 1;
  }
  return bytes.subarray(at);
}

const isReceipt = ({ fields }: Content): boolean => fields.length === 2 && /^[01]$/.test(fields[1] ?? '');

/** "Voice chat": a recording from the watch, or its receipt for one. */
const voice: Word['read'] = content =>
  isReceipt(content) ? reply(content) : status({ voiceBytes: behindComma(content.bytes, 1).length });

/** "Remote Snapshot": `img,kind,time,picture`; kind 5 answers `rcapture`. */
const picture: Word['read'] = ({ fields: [, kind = '', time = ''], bytes }) => [
  ...(kind === '5' ? [{ kind: 'reply', text: `img,5,${time}`.slice(0, MOST_TEXT), reference: null } as const] : []),
  ...status({ picture: time.slice(0, MOST_TEXT), pictureBytes: behindComma(bytes, 3).length }),
];

/** "Config command": `TY:G75,UL:600,…`. */
const configuration: Word['read'] = ({ fields, bytes }) => {
  const model = fields.find(field => field.startsWith('TY:'))?.slice(3);
  return status({ ...(model ? { model } : {}), text: letters(bytes).slice(0, MOST_TEXT) });
};

/** Known from recordings and owners' notes. */
const simCard: Word['read'] = ({ fields: [, iccid = ''] }) => status(/^[0-9A-F]{10,22}$/i.test(iccid) ? { iccid } : {});

const same =
  (text: string): Word['answer'] =>
  () =>
    text;

/** Words of the watch's own, by the part before an underscore: `UD_LTE` is `UD` over 4G. */
export const WORDS: Readonly<Record<string, Word>> = {
  LK: { what: 'link keep', read: link, answer: same('LK') },
  UD: { what: 'location', read: location(false), answer: null },
  UD2: { what: 'location from a blind spot', read: location(false), answer: null },
  AL: { what: 'alarm with a location', read: location(true), answer: same('AL') },
  PP: { what: 'location when two watches touch', read: location(false), answer: null },
  CONFIG: { what: 'configuration', read: configuration, answer: same('CONFIG,1') },
  TKQ: { what: 'asks for voice messages', read: other, answer: same('TKQ') },
  TKQ2: { what: "asks for friends' voice messages", read: other, answer: same('TKQ2') },
  TK: { what: 'voice message', read: voice, answer: content => (isReceipt(content) ? null : 'TK,0') },
  IMG: { what: 'picture', read: picture, answer: null },
  BPHRT: {
    what: 'blood pressure and heart rate',
    read: ({ fields: [, high, low, rate] }) =>
      status(noted({ bloodPressureHigh: measured(high), bloodPressureLow: measured(low), heartRate: measured(rate) })),
    answer: same('bphrt'),
  },
  HEART: {
    what: 'heart rate',
    read: ({ fields }) => status(noted({ heartRate: measured(fields.at(-1)) })),
    answer: same('heart'),
  },
  OXYGEN: {
    what: 'blood oxygen',
    read: ({ fields: [, , level] }) => status(noted({ bloodOxygen: measured(level) })),
    answer: same('oxygen,1'),
  },
  BTEMP2: {
    what: 'body temperature',
    read: ({ fields: [, , value] }) => status(noted({ bodyTemperature: warm(value) })),
    answer: same('btemp2'),
  },
  TEMP: {
    what: 'body temperature',
    read: ({ fields }) => status(noted({ bodyTemperature: warm(fields.at(-1)) })),
    answer: null,
  },
  ICCID: { what: 'SIM card', read: simCard, answer: null },
  CCID: { what: 'SIM card', read: simCard, answer: null },
  // With the password of someone's Wi-Fi network, which is not kept.
  WIFIINFOUP: { what: 'Wi-Fi settings changed', read: () => status({}), answer: same('WIFIINFOUP,1') },
};

/** "0: low temperature abnormal, 1: high temperature abnormal": no measurements. */
function warm(field: string | undefined): number | null {
  const value = numberOf(field);
  return value === null || value <= 1 ? null : value;
}

/** Part II, "Server send command", and the commands of the parts after it: a watch answers with the same word. */
export const ANSWERED: ReadonlySet<string> = new Set(
  `APN UPLOAD PW CALL CENTER MONITOR SOS SOS1 SOS2 SOS3 IP FACTORY LZ SOSSMS LOWBAT VERNO TS RESET CR POWEROFF REMOVE
   REMOVESMS WALKTIME SLEEPTIME SILENCETIME SILENCETIME2 FIND FLOWER REMIND MESSAGE PHB PHB2 PHBX PHBX2 DPHBX PROFILE
   WHITELIST1 WHITELIST2 HRTSTART HEALTHAUTOSET TAKEPILLS RCAPTURE FALLDOWN LSSET BODYTEMP BODYTEMP2 WIFISEARCH WIFISET
   WIFIDEL WIFICUR APPLOCK DEVREFUSEPHONESWITCH ACALL`.split(/\s+/),
);

const REPLY: Word = { what: 'answer to a command', read: reply, answer: null };
const OTHER: Word = { what: '', read: other, answer: null };

/** What a word means, in upper or lower case. */
export function wordOf(word: string): Word {
  const upper = word.toUpperCase();
  const [base = ''] = upper.split('_');
  if (Object.hasOwn(WORDS, base)) return WORDS[base] ?? OTHER;
  return ANSWERED.has(upper) ? REPLY : OTHER;
}
