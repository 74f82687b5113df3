/** Printed at start, known to everybody: what keeps it safe is that a demo is only ever opened on a loopback address. */
export const DEMO_SIGN_IN = { userName: 'demo', password: 'demo-fleet' } as const;

/** Of a demo on a loopback address; the page tells it where it is asked for. */
export const DEMO_CONTROL_PASSWORD = 'demo-control';
