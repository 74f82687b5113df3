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

const CHOSEN = 'map-chosen';

export async function openMaps(
  { bus, config, db, log }: Pick<Context, 'bus' | 'config' | 'db' | 'log'>,
  hosts: MapHosts,
): Promise<Maps> {
  const files = openMapFiles(config.dataDir);
  const environment = environmentChoice(config.map);
  let choice = environment ?? (await readChoice(db));
  const allow = (): void => hosts.allow(choice ? originsOf(choice) : []);
  allow();
  /** Another node has chosen, or may have while it was not heard. */
  const readAgain = (): void => {
    if (environment) return;
    readChoice(db).then(
      found => {
        choice = found;
        allow();
      },
      (error: unknown) => log.error({ err: error }, 'Could not read which map was chosen'),
    );
  };
  bus.listen(CHOSEN, (_, from) => {
    if (from !== bus.nodeId) readAgain();
  });
  bus.onReturn(readAgain);
  return {
    files,
    fromEnvironment: environment !== null,
    chosen: () => choice,
    baseMap: () => baseMapOf(choice ?? BUILT_IN, files),
    set: next => {
      choice = next;
      allow();
      bus.publish(CHOSEN, '');
    },
  };
}
