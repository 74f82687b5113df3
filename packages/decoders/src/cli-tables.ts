import { writeFileSync } from 'node:fs';
import { tablesDocument } from './tables-document.ts';

writeFileSync(new URL('../../../docs/protocols/tables.md', import.meta.url), tablesDocument());
