import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv, type AnySchemaObject } from 'ajv';
import { expect, it } from 'vitest';
import { ROOT } from '../launch/install.mjs';
import { packagesOfRelease } from './contents.ts';
import { nameOf } from './licenses.ts';
import { makeSbom } from './sbom.ts';

/** CycloneDX's schema and the two that it refers to, as published. */
const SCHEMAS: readonly AnySchemaObject[] = JSON.parse(
  gunzipSync(readFileSync(join(ROOT, 'tools/release/cyclonedx-1.5.json.gz'))).toString(),
);

const sbom = makeSbom('0123456789abcdef', new Date('2026-11-26T12:00:00Z'));

it('is a CycloneDX bill of materials by its published schema', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, schemas: [...SCHEMAS] });
  const validate = ajv.getSchema('http://cyclonedx.org/schema/bom-1.5.schema.json');
  expect(validate?.(sbom), JSON.stringify(validate?.errors?.slice(0, 3))).toBe(true);
  expect(validate?.({ ...sbom, components: [{ name: 'no type' }] })).toBe(false);
});

it('names every package of a release, and the libraries inside the web app', () => {
  const named = new Set(sbom.components.map(component => component['bom-ref'].replace(/@[^@]*$/, '')));
  const names = packagesOfRelease().map(nameOf);
  expect([...names, 'react', 'maplibre-gl'].filter(name => !named.has(name))).toEqual([]);
  expect(named.has('vitest')).toBe(false);
});

it('is the same for the same commit, and another for another', () => {
  const at = new Date('2026-11-26T12:00:00Z');
  expect(makeSbom('0123456789abcdef', at)).toEqual(sbom);
  expect(makeSbom('fedcba9876543210', at).serialNumber).not.toBe(sbom.serialNumber);
});
