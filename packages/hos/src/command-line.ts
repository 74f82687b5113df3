import { isObject } from './raw-values.ts';
import { answerVector } from './vector.ts';

/** Output of `npm run hos -- FILE.json`: one JSON object per line, for each question in the file. */
export interface Answer {
  readonly lines: readonly string[];
  /** Message for standard error, in which case the exit status is 1; null if all went well. */
  readonly error: string | null;
}

const USAGE = 'Name a file of duty logs: npm run hos -- FILE.json (one log, a list of logs, or {"vectors": [...]}).';

export function hosCommand(args: readonly string[], readFile: (path: string) => string): Answer {
  const [path] = args;
  if (path === undefined) return { lines: [], error: USAGE };
  let text: string;
  try {
    text = readFile(path);
  } catch {
    return { lines: [], error: `The file ${path} cannot be read.` };
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { lines: [], error: `The file ${path} is not JSON.` };
  }
  let refused = 0;
  const lines = questionsOf(content).map(raw => {
    const answer = answerVector(raw);
    if (answer.ok) return JSON.stringify(answer.value);
    refused++;
    const id = isObject(raw) && typeof raw.id === 'string' ? raw.id : null;
    return JSON.stringify({ id, errors: answer.errors });
  });
  if (refused === 0) return { lines, error: null };
  return { lines, error: `${refused} of ${lines.length} logs could not be read; see their lines for the reasons.` };
}

function questionsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return isObject(content) && Array.isArray(content.vectors) ? content.vectors : [content];
}
