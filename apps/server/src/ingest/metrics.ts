import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const LATENCY_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type IngestMetrics = ReturnType<typeof createIngestMetrics>;

/** What operations want to know of ingest. Counted once a batch where that is possible. */
export function createIngestMetrics(registry: Registry) {
  const registers = [registry];
  return {
    received: new Counter({
      name: 'milepost_positions_received_total',
      help: 'Positions that trackers of known vehicles sent',
      labelNames: ['protocol'],
      registers,
    }),
    committed: new Counter({
      name: 'milepost_positions_committed_total',
      help: 'Positions stored for the first time',
      registers,
    }),
    duplicate: new Counter({
      name: 'milepost_positions_duplicate_total',
      help: 'Positions that were stored already',
      registers,
    }),
    late: new Counter({
      name: 'milepost_positions_late_total',
      help: 'Positions stored after a newer one of the same vehicle',
      registers,
    }),
    doubted: new Counter({
      name: 'milepost_positions_doubted_total',
      help: 'Positions stored and marked as implausible',
      registers,
    }),
    rejected: new Counter({
      name: 'milepost_positions_rejected_total',
      help: 'Positions that could not be stored, and were not acknowledged',
      labelNames: ['reason'],
      registers,
    }),
    commitLatency: new Histogram({
      name: 'milepost_commit_latency_seconds',
      help: 'From receiving a message to its commit, for the oldest message of each batch',
      buckets: LATENCY_SECONDS,
      registers,
    }),
    publishLatency: new Histogram({
      name: 'milepost_publish_latency_seconds',
      help: 'From receiving a message to handing its report to the subscribers, for the oldest message of each batch',
      buckets: LATENCY_SECONDS,
      registers,
    }),
    batchRows: new Histogram({
      name: 'milepost_batch_rows',
      help: 'Positions in one commit',
      buckets: [1, 4, 16, 64, 256, 1024, 4096],
      registers,
    }),
    queued: new Gauge({
      name: 'milepost_ingest_queue_positions',
      help: 'Positions that wait for their commit',
      registers,
    }),
    connections: new Gauge({
      name: 'milepost_tracker_connections',
      help: 'Open connections of trackers',
      labelNames: ['protocol'],
      registers,
    }),
    connectionsCut: new Counter({
      name: 'milepost_tracker_connections_cut_total',
      help: 'Connections of trackers that the server ended',
      labelNames: ['protocol', 'reason'],
      registers,
    }),
    decodeErrors: new Counter({
      name: 'milepost_decode_errors_total',
      help: 'Frames that were not right',
      labelNames: ['protocol', 'code'],
      registers,
    }),
    unknownTrackers: new Counter({
      name: 'milepost_unknown_trackers_total',
      help: 'Connections and messages of trackers that belong to no vehicle',
      labelNames: ['protocol'],
      registers,
    }),
    refusedReports: new Counter({
      name: 'milepost_refused_reports_total',
      help: 'Connections and messages for a vehicle over another protocol than its own',
      labelNames: ['protocol'],
      registers,
    }),
    replies: new Counter({
      name: 'milepost_tracker_replies_total',
      help: 'Answers of trackers to commands',
      labelNames: ['protocol'],
      registers,
    }),
  } as const;
}
