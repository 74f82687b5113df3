import { COMMAND_ACTIONS, type CommandAction } from '@milepost/contract';

/** First words that name an action: `cmd track truck 7`, `share 4127`. They are the same in every language. */
export const VERBS = ['cmd', 'share', 'follow', 'track'] as const;
export type Verb = (typeof VERBS)[number];

export interface Order {
  readonly verb: Verb;
  /** With `cmd`, the command whose name was started; null if the user should choose in the dialog. */
  readonly action: CommandAction | null;
  /** The text that names the vehicle. */
  readonly rest: string;
}

/** Parses a command; null for a plain search. `nameOf` returns a command's name on screen. */
export function readOrder(query: string, nameOf: (action: CommandAction) => string): Order | null {
  const [first = '', ...words] = query.trim().split(/\s+/);
  const verb = VERBS.find(one => one === first.toLowerCase());
  if (!verb || words.length === 0) return null;
  if (verb !== 'cmd') return { verb, action: null, rest: words.join(' ') };
  // Take as many words as possible as the command's name, but leave at least one for the vehicle.
  for (let count = Math.min(words.length - 1, 3); count > 0; count--) {
    const name = words.slice(0, count).join(' ').toLowerCase();
    const action = COMMAND_ACTIONS.find(
      one => one.toLowerCase().startsWith(name.replaceAll(' ', '')) || nameOf(one).toLowerCase().startsWith(name),
    );
    if (action) return { verb, action, rest: words.slice(count).join(' ') };
  }
  return { verb, action: null, rest: words.join(' ') };
}
