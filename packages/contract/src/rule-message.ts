/** What a rule's message can name; in braces: `{vehicle} left {geofence}`. */
export const RULE_TAGS = [
  'rule',
  'vehicle',
  'driver',
  'geofence',
  'other',
  'time',
  'place',
  'speed',
  'measured',
  'action',
] as const;
export type RuleTag = (typeof RULE_TAGS)[number];

const TAG = /\{([^{}]*)\}/g;
const isTag = (name: string): name is RuleTag => (RULE_TAGS as readonly string[]).includes(name);

/** The first thing in a message that looks like a tag and is none; null if all are. */
export function wrongTag(message: string): string | null {
  for (const [, name = ''] of message.matchAll(TAG)) if (!isTag(name)) return name;
  const rest = message.replaceAll(TAG, '');
  return /[{}]/.exec(rest)?.[0] ?? null;
}

/** The message with what is known; what isn't is a dash. */
export const filledMessage = (message: string, known: Readonly<Partial<Record<RuleTag, string | null>>>): string =>
  message.replaceAll(TAG, (whole, name: string) => (isTag(name) ? known[name] || '–' : whole));
