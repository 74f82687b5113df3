import { COMMAND_ACTIONS, type CommandAction } from '@milepost/contract';

/** What is typed first to say what shall be done: `cmd track truck 7`, `share 4127`. The same in every language. */
export const VERBS = ['cmd', 'share', 'follow', 'track'] as const;
export type Verb = (typeof VERBS)[number];

export interface Order {
  readonly verb: Verb;
  /** Of `cmd`: the command whose name was begun; null leaves the choice to the dialog. */
  readonly action: CommandAction | null;
  /** Which vehicle. */
  readonly rest: string;
}

/** Parses a command; null for a plain search. `nameOf` returns a command's name on screen. */
export function readOrder(query: string, nameOf: (action: CommandAction) => string): Order | null {
  const [first = '', ...words] = query.trim().split(/\s+/);
  const verb = VERBS.find(one => one === first.toLowerCase());
  if (!verb || words.length === 0) return null;
  if (verb !== 'cmd') return { verb, action: null, rest: words.join(' ') };
  // The most words that begin a command's name are its name, as long as a vehicle is left to be named.
  for (let count = Math.min(words.length - 1, 3); count > 0; count--) {
    const name = words.slice(0, count).join(' ').toLowerCase();
    const action = COMMAND_ACTIONS.find(
      one => one.toLowerCase().startsWith(name.replaceAll(' ', '')) || nameOf(one).toLowerCase().startsWith(name),
    );
    if (action) return { verb, action, rest: words.slice(count).join(' ') };
  }
  return { verb, action: null, rest: words.join(' ') };
}
