import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { PositionMessage } from '../protocol.ts';
import type { Heard } from '../registration.ts';
import { frameOf } from './encode.ts';
import { CLOSE } from './frame.ts';
import { WORDS } from './words.ts';

const ITEM = /^\[([0-9A-Z]{2})\*[0-9A-Z]{4,20}\*[0-9A-F]{4}\*(.*)$/s;
const MAKER = '3G';

/** The server's answers have the words of the watch's reports; everything else is a command. */
const isAnswer = (content: string): boolean => {
  const [word = ''] = content.split(',');
  return Object.hasOwn(WORDS, word.toUpperCase());
};

/** `[maker*tracker*length*content]`. A watch answers a command that it carries out, and does not answer others. */
export function hear(imei: string, bytes: Uint8Array): Heard {
  const line = lineUntil(bytes, CLOSE);
  if (line === null) return MORE;
  const [, maker = '', content] = ITEM.exec(line.text) ?? [];
  if (content === undefined || isAnswer(content)) return answerUntil(line.end);
  return commandUntil(line.end, {
    text: maker === MAKER ? content : `${maker}*${content}`,
    reference: null,
    reply: (done, last) => (done ? frameOf(imei, answerTo(content, last), maker) : null),
  });
}

/** The word of the command, after which some have more. */
function answerTo(content: string, { attributes }: PositionMessage): string {
  const [word = ''] = content.split(',');
  if (word === 'VERNO') return 'VERNO,G4C_YSC_EMMC_240_5M_En_N_2023.11.10_15.38.00';
  if (word === 'TS') return `TS,batlevel:${String(attributes.batteryLevel ?? 100)};GPS:OK(0);NET:OK(100)`;
  if (word === 'rcapture') return 'img,5,260304050607,';
  return word;
}
