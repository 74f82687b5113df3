import { writeFileSync } from 'node:fs';
import { SAMPLE_NAMES, sampleOf, sampleText } from './sample-drive.ts';

for (const name of SAMPLE_NAMES) {
  writeFileSync(new URL(`../../../samples/${name}.jsonl`, import.meta.url), sampleText(sampleOf(name)));
}
