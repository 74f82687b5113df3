import type { Command } from '@milepost/contract';

type Params = Command['params'];

const HIDDEN = '•••';
const SECRETS: readonly string[] = ['password'];
/** Shorter ones would hide parts of words that have nothing to do with them. */
const TELLING_LETTERS = 3;
/** As trackers list their settings: `PWD:666666`, `password=1234`. */
const LISTED = /((?:pass(?:word)?|pwd|psw)["']?\s{0,2}[:=]\s{0,2}["']?)[^\s,;#"'&]+/gi;

/** Parameters as they may be shown, and what was hidden in them; null where nothing was. */
export function withoutSecrets(params: Params): { readonly params: Params; readonly secrets: Params | null } {
  const hidden = Object.entries(params).filter(([name, value]) => SECRETS.includes(name) && value !== '');
  const shown = Object.fromEntries(hidden.map(([name]) => [name, HIDDEN]));
  return { params: { ...params, ...shown }, secrets: hidden.length === 0 ? null : Object.fromEntries(hidden) };
}

/** Words for a tracker, or of one, without the passwords among them. */
export function maskedText(text: string, secrets: Params | null): string {
  let masked = text;
  for (const secret of Object.values(secrets ?? {}).map(String)) {
    if (secret.length >= TELLING_LETTERS) masked = masked.replaceAll(secret, HIDDEN);
  }
  return masked.replace(LISTED, `$1${HIDDEN}`);
}
