/**
 * V8 flags for the server. Reports live for a few milliseconds. In a large young generation they are promoted before it
 * is collected, and by default the old generation may grow to four times the memory needed: under full load 700 MB
 * instead of 330, collected in longer pauses (docs/performance.md).
 */
export const SERVER_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=60'] as const;
