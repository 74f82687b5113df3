import {
  backtestRule,
  createRule,
  deleteRule,
  listBuiltInRules,
  listRules,
  listVehicleMutes,
  muteBuiltInRule,
  muteBuiltInRuleForMe,
  muteRule,
  muteRuleForMe,
  muteVehicle,
  readRuleProgress,
  readRuleReach,
  testBuiltInRule,
  updateBuiltInRule,
  updateRule,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import type { ProjectionRunner } from '../../projections/runner.ts';
import type { Workers } from '../../workers/workers.ts';
import { by } from '../audit/by.ts';
import { backtest } from './backtest.ts';
import { createBuiltInRules } from './built-in-rules.ts';
import { noteDueDates } from './due-dates.ts';
import { escalateAlerts } from './escalations.ts';
import { sendNoiseReports } from './noise-report.ts';
import { readReach } from './reach.ts';
import { createRules } from './rules.ts';
import { createVehicleMutes } from './vehicle-mutes.ts';

/** An alert that nobody acknowledges goes on a few seconds after its time. */
const ESCALATE_EVERY_S = 10;

export function registerRules(http: Http, context: Context, organisation: Organisation, workers: Workers): void {
  const rules = createRules(context, organisation);
  context.jobs.repeat({
    name: 'rule-escalations',
    everySeconds: ESCALATE_EVERY_S,
    run: () => escalateAlerts(context, organisation, new Date()),
  });
  context.jobs.repeat({
    name: 'rule-noise',
    everySeconds: 3600,
    run: () => sendNoiseReports(context, organisation, new Date()),
  });
  context.jobs.repeat({
    name: 'rule-due-dates',
    everySeconds: 3600,
    run: () => noteDueDates(context, organisation, new Date()),
  });
  http.handle(listRules, ({ session }) => rules.list(session));
  http.handle(createRule, call => rules.create(by(call), call.body));
  http.handle(updateRule, call => rules.update(by(call), Number(call.params.id), call.body));
  http.handle(readRuleReach, ({ session, body }) => readReach(context, organisation, session, body, new Date()));
  http.handle(deleteRule, async call => {
    await rules.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });
  http.handle(muteRule, call => rules.mute(by(call), Number(call.params.id), call.body.mute));
  http.handle(muteRuleForMe, call => rules.muteForMe(by(call), Number(call.params.id), call.body.mute));
  const vehicleMutes = createVehicleMutes(context, organisation);
  http.handle(listVehicleMutes, ({ session }) => vehicleMutes.list(session));
  http.handle(muteVehicle, call => vehicleMutes.mute(by(call), Number(call.params.id), call.body));
  const builtIn = createBuiltInRules(context, organisation);
  http.handle(listBuiltInRules, ({ session }) => builtIn.list(session));
  http.handle(updateBuiltInRule, call => builtIn.update(by(call), call.params.kind, call.body));
  http.handle(muteBuiltInRule, call => builtIn.mute(by(call), call.params.kind, call.body.mute));
  http.handle(muteBuiltInRuleForMe, call => builtIn.muteForMe(by(call), call.params.kind, call.body.mute));
  http.handle(testBuiltInRule, ({ session, params, body }) => builtIn.test(session, params.kind, body));
  http.handle(backtestRule, ({ session, body }) => backtest(context, { ...organisation, workers }, session, body));
}

/** How far the account's vehicles are followed. */
export function registerRuleProgress(http: Http, runner: Pick<ProjectionRunner, 'behindMs'>): void {
  http.handle(readRuleProgress, async ({ session }) => ({
    behindSeconds: Math.floor((await runner.behindMs(session.accountId)) / 1000),
  }));
}
