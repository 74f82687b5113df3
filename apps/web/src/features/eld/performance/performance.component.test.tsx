import {
  answerDispute,
  createCoaching,
  type DriverPerformance,
  disputeEvidence,
  type OneDriverPerformance,
  PERFORMANCE_KINDS,
  type PerformanceEvidence,
  type PerformanceWeights,
  readDriverPerformance,
  readMyPerformance,
  readPerformance,
} from '@milepost/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../../testing/accessible.ts';
import { type Answer, refused, sent, when } from '../../../../testing/answers.ts';
import { open as openPage, someone } from '../../../../testing/app.tsx';

const WEIGHTS = Object.fromEntries(PERFORMANCE_KINDS.map(kind => [kind, 4])) as PerformanceWeights;
const PERIOD = { from: '2026-10-30', to: '2026-11-26', weights: WEIGHTS, isBehind: false };

const LATE: PerformanceEvidence = {
  ...{ id: 'task:7', kind: 'punctuality', at: '2026-11-24T15:18:00Z', amount: 1, weight: 4, points: 4, counts: true },
  ...{ vehicle: { id: '1', imei: '356307042441013', deviceName: '4127' }, speed: null, dispute: null },
  source: { kind: 'task', taskId: '7', title: 'Cross-dock, Madison', lateMinutes: 18 },
};

const performance = (name: string, changes: Partial<DriverPerformance> = {}): DriverPerformance => ({
  ...{ driverId: '1', name, departmentId: null, km: 1000, score: 96, low: 90, high: 100, before: 91 },
  parts: PERFORMANCE_KINDS.map(kind => {
    const amount = kind === 'punctuality' ? 1 : 0;
    return { kind, amount, per1000Km: amount, points: amount * 4 };
  }),
  ...{ arrivals: { all: 4, late: 1 }, withDisputed: 96, openDisputes: 0, openCoaching: 0, weeks: [] },
  ...changes,
});

let evidence = [LATE];
let isRefused = false;
beforeEach(() => {
  evidence = [LATE];
  isRefused = false;
});

const one = (name: string): OneDriverPerformance => ({
  ...performance(name, evidence[0]?.counts ? {} : { score: 100, withDisputed: 96, arrivals: { all: 4, late: 0 } }),
  ...PERIOD,
  evidence,
  coaching: [],
});

const ANSWERS: readonly Answer[] = [
  when(readMyPerformance, () => one('Dana Whitlock')),
  when(readDriverPerformance, () => one('Dana Whitlock')),
  when(disputeEvidence, ({ body }) => {
    if (isRefused) return refused('internal');
    const dispute = {
      ...{ text: body.text, at: '2026-11-27T08:00:00Z', state: 'open' as const },
      ...{ answer: '', answeredBy: null, answeredAt: null },
    };
    evidence = evidence.map(item => (item.id === body.evidence ? { ...item, counts: false, dispute } : item));
    return one('Dana Whitlock');
  }),
  when(createCoaching, refused('internal')),
  when(readPerformance, ({ query }) => ({
    ...PERIOD,
    isBehind: query.days === 7,
    fleet: performance('', { score: 88, low: 87, high: 89 }),
    drivers: [
      performance('Dana Whitlock', { departmentId: '1' }),
      performance('Joel Hostetter', { driverId: '2', score: null }),
    ],
    departments: [
      { ...performance(''), departmentId: '1', name: 'Night shift', drivers: 1 },
      { ...performance(''), departmentId: null, name: null, drivers: 1, score: null },
    ],
  })),
];

describe('[R2.16] [N12] the driver’s own performance', () => {
  const open = () => openPage('/eld/performance', ANSWERS, { me: someone({ role: 'driver' }) });

  it('shows what the desk sees, and takes a reply: nothing typed is lost, and what is disputed does not count', async () => {
    await open();
    await expect.element(page.getByRole('heading', { name: 'Your performance' })).toBeVisible();
    await expect.element(page.getByText('Cross-dock, Madison, 18 minutes late')).toBeVisible();
    await page.getByRole('button', { name: 'Dispute' }).click();
    const form = page.getByRole('form', { name: 'Dispute' });
    const text = form.getByLabelText('What happened?');
    await text.fill('no');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect.element(text).toHaveAccessibleDescription(expect.stringContaining('4 to 500 characters'));
    isRefused = true;
    await text.fill('The gate was closed until 9:15.');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect.element(form.getByRole('alert')).toBeVisible();
    await expect.element(text).toHaveValue('The gate was closed until 9:15.');
    isRefused = false;
    await form.getByRole('button', { name: 'Send' }).click();
    await expect.element(page.getByText('does not count', { exact: true })).toBeVisible();
    expect(sent(disputeEvidence).at(-1)?.body).toEqual({
      evidence: 'task:7',
      text: 'The gate was closed until 9:15.',
    });
    await expect.element(page.getByText('96 if what is disputed counted.')).toBeVisible();
    // What is not decided yet can still be changed; deciding is for the desk.
    await expect.element(page.getByRole('button', { name: 'Change your reply' })).toBeVisible();
    expect(page.getByRole('button', { name: 'Take it out' }).query()).toBeNull();
    expect(page.getByRole('button', { name: 'Add note' }).query()).toBeNull();
    await expectAccessibleInBoth();
  });

  it('says so for a user who keeps no log', async () => {
    const answers = [when(readMyPerformance, refused('no-log'))];
    await openPage('/eld/my-performance', answers, { me: someone({ role: 'driver' }) });
    await expect.element(page.getByText('Only drivers who keep a log here can do this.')).toBeVisible();
  });
});

describe('[R2.16] the performance of a fleet', () => {
  const open = (path = '/eld/performance') => openPage(path, ANSWERS);
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: new RegExp(`^${name}`) }) });

  it('is of a week, four, or a quarter, and says while trips are still being counted', async () => {
    await open();
    await expect.element(row('Dana Whitlock').getByText('75%')).toBeVisible();
    await expect.element(page.getByText('Fleet 88 ±1')).toBeVisible();
    expect(page.getByText('still being counted').query()).toBeNull();
    await page.getByRole('button', { name: '7 days' }).click();
    await expect.element(page.getByText('still being counted')).toBeVisible();
    await expect.poll(() => location.search).toBe('?days=7');
    await page.getByRole('button', { name: 'Quarter' }).click();
    await expect.poll(() => sent(readPerformance).at(-1)?.query).toEqual({ days: '91' });
  });

  it('compares departments, and leads from one to its drivers', async () => {
    await open('/eld/performance?days=91');
    await page.getByRole('button', { name: 'Departments' }).click();
    await expect.element(row('No department')).toBeVisible();
    await expectAccessibleInBoth();
    await row('Night shift').getByRole('button').click();
    await expect.element(row('Dana Whitlock')).toBeVisible();
    expect(row('Joel Hostetter').query()).toBeNull();
    await expect.poll(() => location.search).toBe('?days=91&department=1');
    await row('Dana Whitlock').getByRole('button').click();
    const drawer = page.getByRole('complementary', { name: 'Dana Whitlock' });
    await expect.element(drawer.getByText('Cross-dock, Madison, 18 minutes late')).toBeVisible();
    expect(drawer.getByRole('button', { name: 'Dispute' }).query()).toBeNull();
  });

  it('has the driver’s reply, which the desk answers with a reason that the driver reads', async () => {
    const dispute = {
      ...{ text: 'The gate was closed.', at: '2026-11-25T08:00:00Z', state: 'open' as const },
      ...{ answer: '', answeredBy: null, answeredAt: null },
    };
    evidence = [{ ...LATE, counts: false, dispute }];
    const answered = when(answerDispute, ({ body }) => {
      if (isRefused) return refused('internal');
      const answer = { answer: body.text, answeredBy: 'Robin Marsh', answeredAt: '2026-11-26T08:00:00Z' };
      evidence = [{ ...LATE, counts: !body.accept, dispute: { ...dispute, ...answer, state: 'rejected' } }];
      return one('Dana Whitlock');
    });
    await openPage('/eld/performance', [...ANSWERS, answered]);
    await row('Dana Whitlock').getByRole('button').click();
    const drawer = page.getByRole('complementary', { name: 'Dana Whitlock' });
    await drawer.getByLabelText('Your answer').fill('The log has you there at 9:18.');
    isRefused = true;
    await drawer.getByRole('button', { name: 'Keep it' }).click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.element(drawer.getByLabelText('Your answer')).toHaveValue('The log has you there at 9:18.');
    await expectAccessibleInBoth();
    isRefused = false;
    await drawer.getByRole('button', { name: 'Keep it' }).click();
    await expect.element(drawer.getByText('rejected')).toBeVisible();
    await expect.element(drawer.getByText('Robin Marsh: The log has you there at 9:18.')).toBeVisible();
    expect(sent(answerDispute).at(-1)?.body).toEqual({
      ...{ evidence: 'task:7', accept: false, text: 'The log has you there at 9:18.' },
    });
  });
});
