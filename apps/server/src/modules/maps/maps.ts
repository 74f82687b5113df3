import type { BaseMap } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { MapHosts } from '../../http/map-hosts.ts';
import { BUILT_IN, baseMapOf, environmentChoice, originsOf, readChoice, type StoredChoice } from './map-choice.ts';
import { type MapFiles, openMapFiles } from './map-files.ts';

/** The source of this installation's map, in memory. Environment variables override the stored choice. */
export interface Maps {
  readonly files: MapFiles;
  readonly fromEnvironment: boolean;
  /** Null if there is no stored choice. */
  chosen(): StoredChoice | null;
  baseMap(): Promise<BaseMap>;
  /** Call after a new choice is committed. */
  set(choice: StoredChoice): void;
}

export async function openMaps({ config, db }: Pick<Context, 'config' | 'db'>, hosts: MapHosts): Promise<Maps> {
  const files = openMapFiles(config.dataDir);
  const environment = environmentChoice(config.map);
  let choice = environment ?? (await readChoice(db));
  const allow = (): void => hosts.allow(choice ? originsOf(choice) : []);
  allow();
  return {
    files,
    fromEnvironment: environment !== null,
    chosen: () => choice,
    baseMap: () => baseMapOf(choice ?? BUILT_IN, files),
    set: next => {
      choice = next;
      allow();
    },
  };
}
