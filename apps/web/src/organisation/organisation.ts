import { listDepartments, listFolders, may } from '@milepost/contract';
import { create } from 'zustand';
import { http } from '../base/api.ts';
import { useSession } from '../base/session/session.ts';
import { forgetExpanded } from './expanded.ts';
import { GroupFeed } from './group-feed.ts';
import {
  checked,
  readDepartments,
  readFolders,
  type StoredDepartment,
  type StoredFolder,
  storeDepartments,
  storeFolders,
  withChecks,
  withoutNames,
} from './stored-groups.ts';

interface Organisation {
  /** Null until they were read for the first time. */
  readonly folders: readonly StoredFolder[] | null;
  readonly departments: readonly StoredDepartment[] | null;
  /** Why they could not be read the last time; null when they could. */
  readonly folderError: unknown;
  readonly departmentError: unknown;
}

const NOTHING: Organisation = { folders: null, departments: null, folderError: null, departmentError: null };

/** The folders and departments of the signed-in user: known at once from the last visit, then kept fresh. */
export const useOrganisation = create<Organisation>(() => NOTHING);

const feeds = {
  folder: new GroupFeed({
    read: etag => http.callIfChanged(listFolders, etag),
    changed: answer => keepFolders(withChecks(answer, useOrganisation.getState().folders ?? [])),
    failed: folderError => useOrganisation.setState({ folderError }),
  }),
  department: new GroupFeed({
    read: etag => http.callIfChanged(listDepartments, etag),
    changed: answer => {
      const departments = withoutNames(answer);
      storeDepartments(departments);
      useOrganisation.setState({ departments });
    },
    failed: departmentError => useOrganisation.setState({ departmentError }),
  }),
};

export const GROUP_KINDS = ['folder', 'department'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

/** Refetches a list; every write to it ends with this [R7.32]. */
export const refreshGroups = (kind: GroupKind): Promise<void> => feeds[kind].refresh();

function keepFolders(folders: readonly StoredFolder[]): void {
  storeFolders(folders);
  useOrganisation.setState({ folders });
}

/** Checks vehicles, or takes their check away, in whatever folder they are [R3.04]. */
export function checkVehicles(ids: ReadonlySet<string>, on: boolean): void {
  const { folders } = useOrganisation.getState();
  if (folders) keepFolders(checked(folders, ids, on));
}

/** Whose lists are shown, or null where nobody's may be. */
function readerOf({ token, me }: ReturnType<typeof useSession.getState>): string | null {
  return token !== null && me !== null && may(me, 'organisation.read') ? token : null;
}

/**
 * Belongs to the session: starts on authentication, also after a reload [R4.09, R4.11], and is torn down with all that
 * it kept when the session ends [R4.10].
 */
export function followSession(): void {
  const follow = (reader: string | null): void => {
    for (const kind of GROUP_KINDS) feeds[kind].stop();
    if (reader === null) {
      useOrganisation.setState(NOTHING);
      return;
    }
    useOrganisation.setState({ ...NOTHING, folders: readFolders(), departments: readDepartments() });
    for (const kind of GROUP_KINDS) feeds[kind].start();
  };
  follow(readerOf(useSession.getState()));
  useSession.subscribe((now, before) => {
    if (now.token === null && before.token !== null) forgetExpanded();
    const [reader, last] = [readerOf(now), readerOf(before)];
    if (reader !== last) follow(reader);
  });
}
