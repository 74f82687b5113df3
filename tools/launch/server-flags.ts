/**
 * What V8 is told for the server. Reports live for some milliseconds and are garbage then. In a large young space they
 * grow old before it is collected, and the old space may by default grow to four times of what is needed: under full
 * load 700 MB instead of 330, collected in longer pauses (docs/performance.md).
 */
export const SERVER_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=60'] as const;
