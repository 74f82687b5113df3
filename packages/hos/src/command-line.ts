import { isObject } from './raw-values.ts';
import { answerVector } from './vector.ts';

/** What `npm run hos -- FILE.json` answers: one JSON object a line for each question of the file. */
export interface Answer {
  readonly lines: readonly string[];
  /** A sentence for standard error; the exit status is then 1. */
  readonly trouble: string | null;
}

const USAGE = 'Name a file of duty logs: npm run hos -- FILE.json (one log, a list of logs, or {"vectors": [...]}).';

export function hosCommand(args: readonly string[], readFile: (path: string) => string): Answer {
  const [path] = args;
  if (path === undefined) return { lines: [], trouble: USAGE };
  let text: string;
  try {
    text = readFile(path);
  } catch {
    return { lines: [], trouble: `The file ${path} cannot be read.` };
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { lines: [], trouble: `The file ${path} is not JSON.` };
  }
  let refused = 0;
  const lines = questionsOf(content).map(raw => {
    const answer = answerVector(raw);
    if (answer.ok) return JSON.stringify(answer.value);
    refused++;
    const id = isObject(raw) && typeof raw.id === 'string' ? raw.id : null;
    return JSON.stringify({ id, errors: answer.errors });
  });
  if (refused === 0) return { lines, trouble: null };
  return { lines, trouble: `${refused} of ${lines.length} logs could not be read; see their lines for the reasons.` };
}

function questionsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return isObject(content) && Array.isArray(content.vectors) ? content.vectors : [content];
}
