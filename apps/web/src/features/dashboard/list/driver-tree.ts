import type { Driver } from '@milepost/contract';
import { nameCollator } from '../../../format/locale.ts';
import { type GroupNode, groupTree, NO_GROUP } from '../../../organisation/groups.ts';

export interface DepartmentNode {
  readonly kind: 'department';
  readonly id: string;
  readonly name: string;
  readonly children: readonly DriverNode[];
  /** Number of drivers, subdepartments included. */
  readonly count: number;
}

export interface PersonNode {
  readonly kind: 'driver';
  readonly id: string;
  readonly name: string;
  readonly children: readonly [];
  readonly driver: Driver;
}

export type DriverNode = DepartmentNode | PersonNode;

interface Department {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** Drivers by department, without empty departments and archived drivers. */
export function driverTree(
  drivers: readonly Driver[],
  departments: readonly Department[],
  query: string,
  noDepartment: string,
): readonly DriverNode[] {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const shown = drivers
    .filter(driver => !driver.archived && words.every(word => isCalled(driver, word)))
    .toSorted((a, b) => nameCollator().compare(a.name, b.name));
  const known = new Set(departments.map(({ id }) => id));
  const byDepartment = Map.groupBy(shown, ({ departmentId }) =>
    departmentId !== null && known.has(departmentId) ? departmentId : NO_GROUP,
  );
  const peopleIn = (id: string): readonly Driver[] => byDepartment.get(id) ?? [];
  if (peopleIn(NO_GROUP).length === shown.length) return shown.map(personNode);

  const departmentNode = ({ id, name, children, members }: GroupNode): DepartmentNode => ({
    kind: 'department',
    id,
    name,
    children: [...children.filter(isUsed).map(departmentNode), ...peopleIn(id).map(personNode)],
    count: members.length,
  });
  const idsIn = (id: string): string[] => peopleIn(id).map(driver => driver.id);
  const groups = groupTree(departments.map(department => ({ ...department, members: idsIn(department.id) })));
  const rest = { id: NO_GROUP, name: noDepartment, parentId: null, children: [], members: idsIn(NO_GROUP) };
  return [...groups, rest].filter(isUsed).map(departmentNode);
}

const isUsed = ({ members }: GroupNode): boolean => members.length > 0;

const personNode = (driver: Driver): PersonNode => ({
  kind: 'driver',
  // Drivers and departments have separate ids, which could be the same.
  id: `driver-${driver.id}`,
  name: driver.name,
  children: [],
  driver,
});

const isCalled = ({ name, phone, vehicle }: Driver, word: string): boolean =>
  [name, phone, vehicle?.deviceName].some(text => text?.toLowerCase().includes(word));

export const departmentIds = (nodes: readonly DriverNode[]): string[] =>
  nodes.flatMap(node => (node.kind === 'department' ? [node.id, ...departmentIds(node.children)] : []));
