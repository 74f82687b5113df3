import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../launch/install.mjs';
import { type LockedPackage, nameOf, ships } from './licenses.ts';

/** Node's program, which the package `node` fetches when it is installed: it ships, and the lock doesn't name it. */
const NODE = /^node-(linux|darwin|win)-\w+@/;

export interface Sbom {
  serialNumber: string;
  readonly specVersion: string;
  readonly metadata: {
    timestamp: string;
    tools: readonly { readonly vendor: string; readonly name: string; version?: string }[];
    readonly component: { name: string };
  };
  /** `bom-ref` is `name@version`. */
  components: readonly { readonly 'bom-ref': string; readonly name: string; readonly version: string }[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * The software bill of materials, CycloneDX 1.5, as npm makes it of what is installed, without developers' tools: every
 * package that runs, on the server or inside the web app. (`npm sbom --omit=dev` leaves out what both need.) npm puts in
 * the time, a random number and its own version; here they follow from the release, so that the same commit gives the
 * same bytes.
 */
export function makeSbom(commit: string, at: Date): Sbom {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const sbom: Sbom = JSON.parse(execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], options));
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  );
  const kept = new Set(
    Object.entries(lock.packages).flatMap(([path, locked]) =>
      ships(path, locked) ? [`${nameOf(path)}@${locked.version}`] : [],
    ),
  );
  const isKept = (ref: string): boolean => kept.has(ref) || NODE.test(ref) || /^(milepost|@milepost\/.*)@/.test(ref);
  sbom.components = sbom.components.filter(component => isKept(component['bom-ref']));
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) }));
  const digest = createHash('sha256').update(commit).digest('hex');
  sbom.serialNumber = `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  sbom.metadata.timestamp = at.toISOString();
  // npm takes it from the folder.
  sbom.metadata.component.name = 'milepost';
  for (const tool of sbom.metadata.tools) delete tool.version;
  return sbom;
}
