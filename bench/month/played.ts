import type { PositionMessage } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { NO_COMMIT_HOOK } from '../../apps/server/src/ingest/commit-hook.ts';
import { createIngestMetrics } from '../../apps/server/src/ingest/metrics.ts';
import { createPipeline } from '../../apps/server/src/ingest/pipeline.ts';
import { NO_TRACES } from '../../apps/server/src/ingest/traces.ts';
import { keepPartitions } from '../../apps/server/src/tracks/partitions.ts';
import type { TestHttpServer } from '../../apps/server/testing/http-server.ts';
import { randomFrom } from '../../apps/simulator/src/drive/random.ts';
import { addFleet, type MonthFleet } from './fleet.ts';
import { phonesOf } from './phones.ts';
import { reportsOf } from './reports.ts';
import { type Send, Tracker } from './senders.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
/** After the last report the vehicles stand, and everything becomes due. */
const AFTERWARD_MS = 30 * MINUTE;

export interface Played {
  readonly fleet: MonthFleet;
  readonly beginMs: number;
  readonly endMs: number;
  readonly refused: readonly string[];
}

/** The server that stories are told to: its own pipeline and calls, on a clock that the story sets. */
export async function stage(server: TestHttpServer) {
  const { context, organisation } = server;
  const { live, privateTime } = organisation;
  const pipeline = createPipeline({
    ...{ pool: context.db.pool, log: context.log, live, privateTime, commitHook: NO_COMMIT_HOOK, traces: NO_TRACES },
    partitions: await keepPartitions(context.db.pool, context.log),
    metrics: createIngestMetrics(context.metrics),
    publish: async () => {},
  });
  return { server, pipeline };
}

/**
 * Lets a story happen in one process, as fast as it can be written, and each time the same for a seed: trackers and
 * phones send in any order and late, as on the server that is killed (`live.ts`).
 *
 * @param setNow sets the clock of the server
 */
export async function play(
  { pipeline, server }: Awaited<ReturnType<typeof stage>>,
  seed: number,
  story: Story,
  setNow: (ms: number) => void,
): Promise<Played> {
  const random = randomFrom('played', seed);
  const beginMs = Math.floor(Date.now() / MINUTE) * MINUTE;
  const endMs = beginMs + story.seconds * 1000;
  let nowMs = beginMs;
  const fleet = await addFleet(server.context.db, story);
  await server.context.feed.settled();
  const trackers = fleet.vehicles.map(({ id, imei }, nth) => {
    const vehicle = { id, imei, accountId: fleet.accountId };
    const send = (positions: readonly PositionMessage[]): Promise<void> =>
      pipeline.accept(vehicle, positions, 'teltonika', epochMs(nowMs));
    return new Tracker(
      async () => ({ send, hangUp: () => {} }),
      reportsOf(nth, story.happenings, beginMs, story.seconds, randomFrom('reports', seed, nth)),
      randomFrom('tracker', seed, nth),
    );
  });
  const phones = phonesOf(story, fleet, beginMs, seed);
  const send: Send = async (token, inputs) => {
    const answer = await server.call('POST', '/api/v1/eld/duty', { token, body: { inputs } });
    if (answer.status !== 200) throw new Error(`Duty answered ${answer.status}: ${answer.text}`);
    return (answer.body as { outcomes: { refusal: string | null }[] }).outcomes;
  };
  const pass = (ms: number): void => {
    nowMs += ms;
    setNow(nowMs);
  };
  while (nowMs <= endMs || !(trackers.every(one => one.isDone) && phones.every(one => one.isDone))) {
    // Mostly a look now and then; sometimes the recorder sees what came within seconds.
    pass(Math.floor((random() < 0.3 ? 20_000 : 40 * MINUTE) * (0.1 + random())));
    const isLast = nowMs > endMs;
    const senders = [
      ...trackers.map(one => () => one.send(nowMs, isLast)),
      ...phones.map(one => () => one.send(send, phones, nowMs, isLast)),
    ];
    for (let i = senders.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [senders[i], senders[j]] = [senders[j] as () => Promise<void>, senders[i] as () => Promise<void>];
    }
    for (const one of senders) {
      await one();
      if (random() < 0.2) await server.recorder.look(nowMs);
    }
  }
  pass(AFTERWARD_MS);
  await server.recorder.look(nowMs);
  await server.recorder.look(nowMs);
  return { fleet, beginMs, endMs, refused: phones.flatMap((phone, nth) => phone.refused.map(one => `${nth}: ${one}`)) };
}
