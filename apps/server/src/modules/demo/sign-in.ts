/** Printed at start, known to everybody: what keeps it safe is that a demo is only ever opened on a loopback address. */
export const DEMO_SIGN_IN = { userName: 'demo', password: 'demo-fleet' } as const;
