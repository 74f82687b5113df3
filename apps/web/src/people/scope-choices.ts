import type { Scope } from '@milepost/contract';
import { allNodes, groupTree } from '../organisation/groups.ts';
import { groupsOf } from '../organisation/stored-groups.ts';

/** A folder or department that a user can be limited to. */
export interface Choice {
  readonly kind: keyof Scope;
  readonly id: string;
  readonly name: string;
  readonly depth: number;
}

/**
 * Folders and departments with their depth in the tree. A limited user can give only their own folders and departments
 * and everything inside. Their lists also contain the parents, but those aren't theirs to give.
 */
export function scopeChoices(organisation: Parameters<typeof groupsOf>[1], held: Scope | null): Choice[] {
  return (['folder', 'department'] as const).flatMap(group => {
    const kind = group === 'folder' ? 'folderIds' : 'departmentIds';
    const depths = new Map<string, number>();
    return [...allNodes(groupTree(groupsOf(group, organisation) ?? []))].flatMap(({ id, name, parentId }): Choice[] => {
      const above = parentId === null ? undefined : depths.get(parentId);
      if (held && above === undefined && !held[kind].includes(id)) return [];
      const depth = above === undefined ? 0 : above + 1;
      depths.set(id, depth);
      return [{ kind, id, name, depth }];
    });
  });
}
