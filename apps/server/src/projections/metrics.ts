import { Counter, Gauge, type Registry } from 'prom-client';
import type { ProjectionRunner } from './runner.ts';

/** How far figures, visits and rules are behind what trackers have sent. */
export function showProjections(registry: Registry, runner: Pick<ProjectionRunner, 'progress'>): void {
  const registers = [registry];
  new Counter({
    name: 'milepost_positions_followed_total',
    help: 'Positions that figures, visits and rules have followed in the order of time',
    registers,
    collect() {
      this.reset();
      this.inc(runner.progress().followed);
    },
  });
  new Gauge({
    name: 'milepost_projections_late_days',
    help: 'Days of vehicles into which positions came late, and which are to be counted again',
    registers,
    collect() {
      this.set(runner.progress().lateDays);
    },
  });
  new Gauge({
    name: 'milepost_projections_behind_seconds',
    help: 'How long the oldest position that figures, visits and rules have not followed has waited',
    registers,
    collect() {
      this.set(runner.progress().behindMs / 1000);
    },
  });
}
