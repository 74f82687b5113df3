import { matchesGlob } from 'node:path';

/** What a Dockerfile says, as far as ours goes: one stage, no build arguments. */
export interface Image {
  readonly from: string;
  /** `RUN` and `COPY` in their order, with the folder, user and variables that hold there. */
  readonly steps: readonly Step[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user: string;
  readonly volumes: readonly string[];
  readonly stopSignal: string;
  /** In exec form: without a shell, which would not pass signals on. */
  readonly healthCheck: readonly string[];
  readonly command: readonly string[];
}

export type Step =
  | { readonly kind: 'run'; readonly script: string; readonly folder: string; readonly user: string }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string };

/** Throws on what it does not know: a test must not pass over a step. */
export function readDockerfile(text: string): Image {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter(line => line.trim() !== '');
  const steps: Step[] = [];
  const env: Record<string, string> = {};
  const volumes: string[] = [];
  let [from, folder, user, stopSignal] = ['', '/', 'root', 'SIGTERM'];
  let healthCheck: string[] = [];
  let command: string[] = [];
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^(\w+)\s+(.*?)\s*$/.exec(line) ?? [];
    if (instruction === 'FROM' && from === '') from = rest;
    else if (instruction === 'RUN') steps.push({ kind: 'run', script: rest, folder, user });
    else if (instruction === 'COPY' && /^[^-\s]+ \S+$/.test(rest)) {
      const [source = '', to = ''] = rest.split(' ');
      steps.push({ kind: 'copy', from: source, to });
    } else if (instruction === 'ENV') {
      for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) env[name] = value;
    } else if (instruction === 'WORKDIR') folder = rest;
    else if (instruction === 'USER') user = rest;
    else if (instruction === 'VOLUME') volumes.push(rest);
    else if (instruction === 'STOPSIGNAL') stopSignal = rest;
    else if (instruction === 'HEALTHCHECK') healthCheck = execForm(rest.replace(/^(--\S+\s+)*CMD\s+/, ''));
    else if (instruction === 'CMD') command = execForm(rest);
    else throw new Error(`This instruction is not known: ${line}`);
  }
  return { from, steps, env, folder, user, volumes, stopSignal, healthCheck, command };
}

const execForm = (text: string): string[] => JSON.parse(text);

/** Whether `.dockerignore` keeps a path of the context out of the image: the last line that fits decides. */
export function isIgnored(ignore: string, path: string): boolean {
  const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  return ignore
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .reduce((ignored, line) => {
      const pattern = line.replace(/^!/, '');
      return parents.some(parent => matchesGlob(parent, pattern)) ? !line.startsWith('!') : ignored;
    }, false);
}
