import { z } from 'zod';
import { groupNameSchema, idSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Organisation';

/**
 * A vehicle in a folder's list [R3.04]. `is_checked` is the initial state of its checkbox, always unchecked. The
 * selection itself is stored in the browser, with the folders under their key [R3.09], because it changes with every
 * click and concerns nobody else.
 */
const folderDeviceSchema = z.object({
  id: z.string(),
  imei: z.string(),
  deviceName: z.string(),
  is_checked: z.boolean(),
});

export const folderSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The parent folder; null at the top. */
    parentId: z.string().nullable(),
    is_checked: z.boolean(),
    devices: z.array(folderDeviceSchema),
  })
  .meta({ id: 'Folder' });
export type Folder = z.infer<typeof folderSchema>;

export const departmentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    parentId: z.string().nullable(),
    drivers: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'Department' });
export type Department = z.infer<typeof departmentSchema>;

export const newGroupSchema = z.object({ name: groupNameSchema, parentId: idSchema.nullable().optional() });
export type NewGroup = z.input<typeof newGroupSchema>;

const params = z.object({ id: idSchema });
/** `none` removes them from where they are. */
const assignParams = z.object({ id: z.union([idSchema, z.literal('none')]) });
const ids = z
  .array(idSchema)
  .min(1, issue('at-least-one'))
  .max(5000, issue('too-many', { max: 5000 }));
const deletedSchema = z.object({
  deleted: z.literal(true),
  id: z.string(),
  /** How many vehicles or drivers now have no folder or department. */
  released: z.int(),
});
const assignedSchema = z.object({ assigned: z.int() });

export const listFolders = defineRoute({
  method: 'GET',
  path: '/api/v1/folder',
  access: 'organisation.read',
  summary: 'List the folders with the vehicles you can see',
  tag: TAG,
  response: z.array(folderSchema),
  conditional: true,
});

export const createFolder = defineRoute({
  method: 'POST',
  path: '/api/v1/folder',
  access: 'organisation.write',
  summary: 'Create a folder, at the top or inside another',
  tag: TAG,
  body: newGroupSchema,
  status: 201,
  response: folderSchema,
  problems: ['not-found', 'folder-name-taken', 'too-deep'],
});

export const updateFolder = defineRoute({
  method: 'PATCH',
  path: '/api/v1/folder/{id}',
  access: 'organisation.write',
  summary: 'Rename a folder, or move it with everything in it',
  tag: TAG,
  params,
  body: newGroupSchema.partial(),
  response: folderSchema,
  problems: ['not-found', 'folder-name-taken', 'inside-itself', 'too-deep'],
});

export const deleteFolder = defineRoute({
  method: 'DELETE',
  path: '/api/v1/folder/{id}',
  access: 'organisation.write',
  summary: 'Delete a folder: its vehicles go to no folder, folders inside it move up',
  tag: TAG,
  params,
  response: deletedSchema,
  problems: ['not-found', 'folder-name-taken'],
});

export const assignFolder = defineRoute({
  method: 'PATCH',
  path: '/api/v1/folder/assign/{id}',
  access: 'organisation.assign',
  summary: 'Move vehicles into a folder, or with the ID `none` out of their folders',
  tag: TAG,
  params: assignParams,
  body: z.object({ devices: ids }),
  response: assignedSchema,
  problems: ['not-found'],
});

export const listDepartments = defineRoute({
  method: 'GET',
  path: '/api/v1/department',
  access: 'organisation.read',
  summary: 'List the departments with the drivers you can see',
  tag: TAG,
  response: z.array(departmentSchema),
  conditional: true,
});

export const createDepartment = defineRoute({
  method: 'POST',
  path: '/api/v1/department',
  access: 'organisation.write',
  summary: 'Create a department, at the top or inside another',
  tag: TAG,
  body: newGroupSchema,
  status: 201,
  response: departmentSchema,
  problems: ['not-found', 'department-name-taken', 'too-deep'],
});

export const updateDepartment = defineRoute({
  method: 'PATCH',
  path: '/api/v1/department/{id}',
  access: 'organisation.write',
  summary: 'Rename a department, or move it with everything in it',
  tag: TAG,
  params,
  body: newGroupSchema.partial(),
  response: departmentSchema,
  problems: ['not-found', 'department-name-taken', 'inside-itself', 'too-deep'],
});

export const deleteDepartment = defineRoute({
  method: 'DELETE',
  path: '/api/v1/department/{id}',
  access: 'organisation.write',
  summary: 'Delete a department: its drivers go to no department, departments inside it move up',
  tag: TAG,
  params,
  response: deletedSchema,
  problems: ['not-found', 'department-name-taken'],
});

export const assignDepartment = defineRoute({
  method: 'PATCH',
  path: '/api/v1/department/assign/{id}',
  access: 'organisation.assign',
  summary: 'Move drivers into a department, or with the ID `none` out of their departments',
  tag: TAG,
  params: assignParams,
  body: z.object({ drivers: ids }),
  response: assignedSchema,
  problems: ['not-found'],
});
