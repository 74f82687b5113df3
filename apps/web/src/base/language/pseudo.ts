const DISGUISE: Readonly<Record<string, string>> = Object.fromEntries(
  [...'aáeéiíoóuúcçnñAÁEÉIÍOÓUÚCÇNÑ'.matchAll(/(.)(.)/gu)].map(([, plain = '', dressed = '']) => [plain, dressed]),
);
/** Placeholders, nested texts and tags, which must stay as they are. */
const FILLED = /(\{\{.*?\}\}|\$t\(.*?\)|<\/?\w+\/?>)/;

/**
 * Disguises a text, so that texts missing from the locales stand out, and makes it a third longer, as German would be.
 */
export function pseudoText(text: string): string {
  const parts = text.split(FILLED);
  const words = parts.filter((_, at) => at % 2 === 0).join('');
  const dressed = parts.map((part, at) => (at % 2 === 1 ? part : part.replace(/\p{L}/gu, one => DISGUISE[one] ?? one)));
  return dressed.join('') + '·'.repeat(Math.ceil(words.length / 3));
}

export function pseudoTexts<T>(texts: T): T {
  if (typeof texts === 'string') return pseudoText(texts) as T;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, pseudoTexts(value)])) as T;
}
