type Answer = string | null | undefined;
type Check = () => Answer | Promise<Answer>;

/**
 * Named checks for `/health`: null if fine, else a sentence that says what is wrong; undefined if there is nothing to
 * check, which is not reported.
 */
export interface Health {
  /** A failing `warning` check is reported, but the server counts as healthy, since a restart would not help. */
  register(name: string, check: Check, weight?: 'vital' | 'warning'): void;
  /** Runs all checks in parallel; one that takes more than two seconds fails. */
  report(): Promise<HealthReport>;
}

export interface HealthReport {
  readonly status: 'ok' | 'failing';
  /** By name: `ok`, or the sentence. */
  readonly checks: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 2000;

export function createHealth(): Health {
  const checks = new Map<string, Check>();
  const warnings = new Set<string>();
  return {
    register: (name, check, weight = 'vital') => {
      if (checks.has(name)) throw new Error(`Two health checks are called ${name}`);
      checks.set(name, check);
      if (weight === 'warning') warnings.add(name);
    },
    report: async () => {
      const answers = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await answerOf(check)] as const),
      );
      return {
        status: answers.every(([name, trouble]) => typeof trouble !== 'string' || warnings.has(name))
          ? 'ok'
          : 'failing',
        checks: Object.fromEntries(
          answers.flatMap(([name, trouble]) => (trouble === undefined ? [] : [[name, trouble ?? 'ok']])),
        ),
      };
    },
  };
}

async function answerOf(check: Check): Promise<Answer> {
  const { promise: silence, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, TIMEOUT_MS, `No answer within ${TIMEOUT_MS / 1000} seconds.`);
  try {
    return await Promise.race([Promise.resolve().then(check), silence]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
