import {
  type Alert,
  type BacktestAlert,
  type BuiltInKind,
  type BuiltInRule,
  type BuiltInRuleChange,
  type BuiltInTest,
  backtestRule,
  createRule,
  deleteRule,
  listAlerts,
  listBuiltInRules,
  listRules,
  type NewRule,
  type Rule,
  type RuleChange,
  type RuleMute,
  testBuiltInRule,
  updateBuiltInRule,
  updateRule,
} from '@milepost/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../base/api.ts';
import { queryClient } from '../base/queries.ts';

const rulesQuery = queryOptions({ queryKey: ['rules', 'list'], queryFn: () => call(listRules) });

export const useRules = ({ enabled = true } = {}) => useQuery({ ...rulesQuery, enabled });

export function keepRule(rule: Rule): Rule {
  queryClient.setQueryData(
    rulesQuery.queryKey,
    all => all && [...all.filter(({ id }) => id !== rule.id), rule].toSorted((a, b) => a.name.localeCompare(b.name)),
  );
  return rule;
}

export const addRule = async (body: NewRule): Promise<Rule> => keepRule(await call(createRule, { body }));

export const changeRule = async (id: string, body: RuleChange): Promise<Rule> =>
  keepRule(await call(updateRule, { params: { id }, body }));

export async function removeRule(id: string): Promise<void> {
  await call(deleteRule, { params: { id } });
  queryClient.setQueryData(rulesQuery.queryKey, all => all?.filter(one => one.id !== id));
}

const builtInRulesQuery = queryOptions({ queryKey: ['rules', 'built-in'], queryFn: () => call(listBuiltInRules) });

export const useBuiltInRules = ({ enabled = true } = {}) => useQuery({ ...builtInRulesQuery, enabled });

/** All built-in alerts but requests for a second person can be changed. */
export async function changeBuiltInRule(
  kind: Exclude<BuiltInKind, 'secondPerson'>,
  body: BuiltInRuleChange,
): Promise<BuiltInRule> {
  return keepBuiltInRule(await call(updateBuiltInRule, { params: { kind }, body }));
}

export function keepBuiltInRule(rule: BuiltInRule): BuiltInRule {
  queryClient.setQueryData(builtInRulesQuery.queryKey, all => all?.map(one => (one.kind === rule.kind ? rule : one)));
  return rule;
}

/** `id`: a rule's, or the kind of a built-in alert. */
export function keepMyMute(id: string, me: RuleMute | null): void {
  const withMine = <T extends { readonly mutes: Rule['mutes'] }>(one: T): T => ({
    ...one,
    mutes: { ...one.mutes, me },
  });
  queryClient.setQueryData(rulesQuery.queryKey, all => all?.map(one => (one.id === id ? withMine(one) : one)));
  queryClient.setQueryData(builtInRulesQuery.queryKey, all => all?.map(one => (one.kind === id ? withMine(one) : one)));
}

export function testBuiltIn(
  kind: Exclude<BuiltInKind, 'secondPerson'>,
  rule: Pick<BuiltInRule, 'vehicles' | 'when' | 'conditions' | 'repeatMinutes'>,
  days: number,
): Promise<BuiltInTest> {
  const nowMs = Date.now();
  const period = { from: new Date(nowMs - days * DAY_MS).toISOString(), to: new Date(nowMs).toISOString() };
  return call(testBuiltInRule, { params: { kind }, body: { rule, ...period } });
}

export type TestedRule = Omit<NewRule, 'name'>;

/** What a test has found so far. */
export interface Tested {
  readonly rule: TestedRule;
  readonly from: string;
  readonly to: string;
  readonly variants: readonly number[];
  readonly alerts: readonly BacktestAlert[];
  /** By vehicle id. */
  readonly vehicles: ReadonlyMap<string, TestedVehicle>;
  readonly total: number;
  readonly positions: number;
  readonly tookMs: number;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly error: Error | null;
}

interface TestedVehicle {
  readonly muted: number;
  readonly plain: readonly { readonly day: string; readonly count: number }[];
}

const DAY_MS = 86_400_000;

/** Tests a rule on past days, a few vehicles at a time. A new test, or leaving the page, stops the one before. */
export function useBacktest() {
  const [tested, setTested] = useState<Tested | null>(null);
  const number = useRef(0);
  useEffect(
    () => () => {
      number.current++;
    },
    [],
  );

  async function run(rule: TestedRule, days: number, variants: readonly number[]): Promise<void> {
    const mine = ++number.current;
    const began = performance.now();
    const nowMs = Date.now();
    const period = { from: new Date(nowMs - days * DAY_MS).toISOString(), to: new Date(nowMs).toISOString() };
    const vehicles = new Map<string, TestedVehicle>();
    let found: Tested = {
      ...{ rule, ...period, variants, vehicles, alerts: [], total: 0, positions: 0, tookMs: 0 },
      ...{ state: 'running', error: null },
    };
    const show = (more: Partial<Tested>): void => {
      found = { ...found, ...more, tookMs: performance.now() - began };
      if (mine === number.current) setTested(found);
    };
    show({});
    try {
      let after: string | null = null;
      do {
        const body = { rule, ...period, variants: [...variants], after };
        const answer: Awaited<ReturnType<typeof call<typeof backtestRule>>> = await call(backtestRule, { body });
        if (mine !== number.current) return;
        for (const { deviceId, muted, plain } of answer.vehicles) vehicles.set(deviceId, { muted, plain });
        after = answer.next;
        show({
          alerts: [...found.alerts, ...answer.alerts],
          vehicles: new Map(vehicles),
          total: answer.total,
          positions: found.positions + answer.vehicles.reduce((sum, { positions }) => sum + positions, 0),
        });
      } while (after !== null);
      show({ state: 'done' });
    } catch (error) {
      show({ state: 'failed', error: error as Error });
    }
  }

  return {
    tested,
    run: (rule: TestedRule, days: number, variants: readonly number[]) => void run(rule, days, variants),
    stop: () => {
      number.current++;
      setTested(known => known && { ...known, state: 'stopped' });
    },
  };
}

const PAGE = 500;
const PAGES_MAX = 10;

/** An alert that someone acknowledged. */
export type ActedOn = Pick<Alert, 'deviceId' | 'openedAt'>;

/** A rule's alerts of a period that someone acknowledged. */
export async function readActedOn(ruleId: string, from: string, to: string): Promise<readonly ActedOn[]> {
  const found: ActedOn[] = [];
  let before: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { alerts } = await call(listAlerts, { query: { open: 'false', from, to, limit: PAGE, before } });
    found.push(...alerts.filter(({ acknowledgedBy, rule }) => rule?.id === ruleId && acknowledgedBy !== null));
    before = alerts.at(-1)?.id;
    if (alerts.length < PAGE) break;
  }
  return found;
}
