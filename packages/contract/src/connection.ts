/** Constants of the live connection [R9.05]. */
export const MESSAGING = {
  reconnectPeriodMs: 2000,
  connectTimeoutMs: 5000,
  keepaliveS: 60,
  cleanSession: true,
  sendBufferBytes: 512 * 1024,
  sendRetryMs: 1000,
} as const;

/** Polling interval of the connectivity check, in milliseconds [R9.01]. */
export const CONNECTIVITY_POLL_MS = 5000;

/** Header of every response to a signed-in user: its data is at least as new as this change. */
export const CHANGE_HEADER = 'milepost-change';
