/**
 * Whether a tracker's answer refuses a command. Makers have no common format, only certain common words: a refusal
 * begins with one, or is short and ends with one. A long answer with an error somewhere in it is a status, not a
 * refusal.
 */
export function isRefusal(answer: string): boolean {
  const text = answer.trim();
  return FIRST_WORDS.test(text) || ANYWHERE.test(text) || (text.length <= SHORT && LAST_WORDS.test(text));
}

const SHORT = 60;
const FIRST_WORDS =
  /^\W*(warning|error|err|fail(ed|ure)?|nack|nak|invalid|unknown|unsupported|denied|refused|wrong)\b(?!\s*[:=]\s*0)/i;
const ANYWHERE =
  /\b(unknown command|(command|operation|not) (not )?(found|supported|recogni[sz]ed|allowed|valid|executed)|unable to|authentication failed)\b/i;
const LAST_WORDS = /\b(fail(ed|ure)?|error|wrong|denied|invalid|refused|incorrect)\W*$/i;
