import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startApp, type TestApp } from '../../testing/app.ts';

const FOLDER = join(import.meta.dirname, '../../../../tools/monitoring');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly refId: string; readonly expr: string }[];
}

const { groups } = parse(read('milepost.rules.yml')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap(group => group.rules);
const { panels } = JSON.parse(read('milepost.dashboard.json')) as { panels: Panel[] };
const expressions = [
  ...rules.map(({ alert, expr, record }): [string, string] => [alert ?? record ?? '', expr]),
  ...panels.flatMap(({ targets, title }) =>
    targets.map(({ expr, refId }): [string, string] => [`${title} ${refId}`, expr]),
  ),
];

/** The selectors of an expression: metric and the labels it names; those grouped by count for every metric in it. */
function selectorsOf(expr: string): { readonly metric: string; readonly labels: readonly string[] }[] {
  const found: { metric: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  const text = (node: { from: number; to: number }): string => expr.slice(node.from, node.to);
  parser.parse(expr).iterate({
    enter: node => {
      if (node.type.isError) throw new Error(`“${expr}” is no PromQL at ${node.from}`);
      if (node.name === 'VectorSelector') found.push({ metric: '', labels: [] });
      const last = found.at(-1);
      if (last && node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') last.metric = text(node);
      if (last && node.name === 'LabelName' && node.node.parent?.name === 'UnquotedLabelMatcher')
        last.labels.push(text(node));
      if (node.name === 'LabelName' && node.node.parent?.name === 'GroupingLabels') grouped.push(text(node));
    },
  });
  return found.map(({ labels, metric }) => ({ metric, labels: [...labels, ...grouped] }));
}

let app: TestApp;
/** Every name that `/metrics` has or announces, with the labels it can have. */
const labelsOf = new Map<string, ReadonlySet<string>>();
/** Those Prometheus adds. */
const ADDED = ['instance', 'job'];
const HISTOGRAM = ['_bucket', '_sum', '_count'];

beforeAll(async () => {
  app = await startApp();
  for (const { labelNames, name, type } of app.context.metrics.getMetricsAsArray() as unknown as {
    readonly name: string;
    readonly type: string;
    readonly labelNames?: readonly string[];
  }[]) {
    const labels = new Set([...(labelNames ?? []), ...ADDED]);
    if (type === 'histogram') for (const suffix of HISTOGRAM) labelsOf.set(name + suffix, new Set([...labels, 'le']));
    else labelsOf.set(name, labels);
  }
  labelsOf.set('up', new Set(ADDED));
  for (const { record } of rules) if (record) labelsOf.set(record, new Set(ADDED));
});
afterAll(() => app.close());

describe('the files for Prometheus and Grafana', () => {
  it.each(expressions)('ask for what /metrics has: %s', (_, expr) => {
    const selectors = selectorsOf(expr);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { labels, metric } of selectors) {
      const known = labelsOf.get(metric);
      expect(known, `${metric} is no metric of the server`).toBeDefined();
      expect(
        labels.filter(label => !known?.has(label)),
        `labels of ${metric}`,
      ).toEqual([]);
    }
  });

  it('name each alert once, with how bad it is and what to do', () => {
    const alerts = rules.filter(({ alert }) => alert !== undefined);
    expect(alerts.length).toBeGreaterThan(5);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { annotations, labels } of alerts) {
      expect(labels?.severity).toMatch(/^(critical|warning)$/);
      expect(annotations).toEqual({ summary: expect.stringMatching(/\S/), description: expect.stringMatching(/\.$/) });
    }
  });

  it('have panels that fill rows and cover no other', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { gridPos, title } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`), title).toBe(false);
          taken.add(`${x} ${y}`);
        }
      }
    }
    expect(taken.size).toBe(24 * Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h)));
  });
});

it('/metrics answers while the database is away, without what it would have to ask it', async () => {
  const asked = async () => {
    const response = await fetch(`${app.url}/metrics`);
    return { status: response.status, text: await response.text() };
  };
  expect((await asked()).text).toContain('milepost_repeated_job_failed{job="retention"} 0');
  await app.context.db.pool.query(`alter table job rename to job_away`);
  const without = await asked();
  await app.context.db.pool.query(`alter table job_away rename to job`);
  expect(without.status).toBe(200);
  expect(without.text).not.toContain('milepost_repeated_job_failed{');
  expect(without.text).toContain('milepost_alert_deliveries_waiting{channel="email"} 0');
});
