import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, slowest first: if started last, one of them would run on alone while the other workers idle.
 */
const SLOWEST = [
  'apps/server/src/http/cross-scope',
  'apps/server/src/http/cross-account',
  'e2e/every-section',
  'e2e/every-page',
  'apps/server/src/main',
  'bench/month',
  'bench/crash',
  'tools/start',
  'apps/server/src/ingest/gateways/every-protocol',
  'apps/server/src/modules/notifications/notifications',
  'packages/hos/src/brute-force',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = SLOWEST.findIndex(start => moduleId.includes(`/${start}.`));
      return place === -1 ? SLOWEST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
