import { DIALECTS } from './dialects/every.ts';
import { checkVariant, randomVariants } from './dialects/variants.ts';
import { checkDatagram, checkRequest, checkStream } from './fuzz-checks.ts';
import {
  damage,
  GT06_SAMPLES,
  gt06Nonsense,
  osmandDocument,
  osmandNonsense,
  randomBytes,
  randomFrom,
  SAMPLE_POSITION,
  TELTONIKA_SAMPLES,
  teltonikaNonsense,
} from './fuzz-inputs.ts';
import { NONSENSE } from './fuzz-nonsense.ts';
import { osmand, PROTOCOL_NAMES, protocols } from './index.ts';
import type { TrackerSide } from './registration.ts';

/** `npm run fuzz -- [SECONDS] [SEED]`: tries every decoder on nonsense until the time is up. */

const DEFAULT_SECONDS = 60;
const SLOWEST_MS = 250;

const seconds = Number(process.argv[2] ?? DEFAULT_SECONDS);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const random = randomFrom(seed);
const oneOf = (samples: readonly Uint8Array[]): Uint8Array =>
  samples[Math.floor(random() * samples.length)] ?? new Uint8Array(0);

interface Trial {
  /** The input, to report with a failure. */
  readonly input: string;
  /** Number of inputs it tries; 1 if absent. */
  readonly size?: number;
  readonly run: () => void;
}

/** Each creates an input, keeps it for the failure report, and runs the checks. */
const TRIALS: Record<string, () => Trial> = {
  'osmand query': () => {
    const query = osmandNonsense(random);
    return { input: query, run: () => checkRequest(osmand, { method: 'GET', query, contentType: null, body: '' }) };
  },
  'osmand document': () => {
    const body = JSON.stringify(osmandDocument(random));
    const contentType = 'application/json';
    return { input: body, run: () => checkRequest(osmand, { method: 'POST', query: '', contentType, body }) };
  },
};

const ENVELOPES: typeof NONSENSE = { ...NONSENSE, teltonika: teltonikaNonsense, gt06: gt06Nonsense };
const MORE_SAMPLES: Readonly<Record<string, readonly Uint8Array[]>> = {
  teltonika: TELTONIKA_SAMPLES,
  gt06: GT06_SAMPLES,
};

for (const name of PROTOCOL_NAMES) {
  const { stream: overTcp, tracker, datagram, datagramTracker } = protocols[name];
  const envelope = ENVELOPES[name];
  const inputOf = (samples: readonly Uint8Array[]): Uint8Array =>
    envelope && random() < 0.5 ? envelope(random) : oneOf(samples);
  if (overTcp && tracker) {
    const samples = [...samplesOf(tracker), ...(MORE_SAMPLES[name] ?? [])];
    TRIALS[`${name} over TCP`] = () => stream(inputOf(samples), tried => checkStream(overTcp, tried));
  }
  if (datagram && datagramTracker) {
    const samples = samplesOf(datagramTracker);
    TRIALS[`${name} over UDP`] = () => stream(inputOf(samples), tried => checkDatagram(datagram, tried));
  }
}

/** Many at once, because each takes little time. */
const DIALECTS_A_TURN = 100;
for (const name of PROTOCOL_NAMES) {
  const dialects = DIALECTS[name];
  if (!dialects) continue;
  TRIALS[`${name} in dialects`] = () => {
    const variants = randomVariants(dialects, random, DIALECTS_A_TURN);
    let input = '';
    return {
      get input() {
        return input;
      },
      size: DIALECTS_A_TURN,
      run: () => {
        for (const variant of variants) {
          input = `${Buffer.from(variant.bytes).toString('hex')} (${variant.choices})`;
          checkVariant(name, dialects, variant);
        }
      },
    };
  };
}

function samplesOf(tracker: TrackerSide): Uint8Array[] {
  const imei = '352093081452251';
  const around = [tracker.greeting(imei), tracker.heartbeat(imei, 3)].flatMap(frame => (frame ? [frame] : []));
  return [...around, ...tracker.reports(imei, [SAMPLE_POSITION, { ...SAMPLE_POSITION, event: 'sos' }], 1)];
}

function stream(bytes: Uint8Array, check: (bytes: Uint8Array) => void): Trial {
  const kind = random();
  const tried = kind < 0.3 ? bytes : kind < 0.9 ? damage(random, bytes) : randomBytes(random, 20_000);
  return { input: Buffer.from(tried).toString('hex'), run: () => check(tried) };
}

if (!(seconds > 0)) {
  process.stderr.write('Enter the number of seconds: npm run fuzz -- 60\n');
  process.exit(1);
}
process.stdout.write(`Seed ${seed}, ${seconds} s\n`);
const until = performance.now() + seconds * 1000;
const counts = new Map<string, number>();
while (performance.now() < until) {
  for (const [name, trial] of Object.entries(TRIALS)) {
    const tried = trial();
    const started = performance.now();
    try {
      tried.run();
    } catch (error) {
      process.stderr.write(
        `${name} failed: ${error instanceof Error ? error.message : error}\nInput: ${tried.input}\n`,
      );
      process.exit(1);
    }
    const took = performance.now() - started;
    if (took > SLOWEST_MS * (tried.size ?? 1)) {
      process.stderr.write(`${name} took ${Math.round(took)} ms\nInput: ${tried.input}\n`);
      process.exit(1);
    }
    counts.set(name, (counts.get(name) ?? 0) + (tried.size ?? 1));
  }
}
for (const [name, count] of counts) process.stdout.write(`${name}: ${count} inputs, none failed\n`);
