import { z } from 'zod';
import { idSchema, personNameSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { PERMISSIONS, ROLES } from '../roles.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Users';

export const roleSchema = z
  .object({
    /** A built-in role's own name, or a custom role's id. */
    id: z.string(),
    name: z.string(),
    builtIn: z.boolean(),
    /** The role whose view a custom role has: a driver's is limited to their own data. */
    basedOn: z.enum(ROLES),
    permissions: z.array(z.enum(PERMISSIONS)),
    users: z.int(),
    /** Whether the caller can give this role to users. */
    grantable: z.boolean(),
  })
  .meta({ id: 'Role' });

export const newRoleSchema = z.strictObject({
  name: personNameSchema.pipe(z.string().max(40, issue('max-length', { max: 40 }))),
  basedOn: z.enum(['admin', 'dispatcher', 'viewer', 'driver']),
  permissions: z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length),
});

export const listRoles = defineRoute({
  method: 'GET',
  path: '/api/v1/role',
  access: 'users.read',
  summary: 'List the roles, built-in ones first',
  tag: TAG,
  response: z.array(roleSchema),
});

export const createRole = defineRoute({
  method: 'POST',
  path: '/api/v1/role',
  access: 'roles.write',
  summary: 'Create a custom role from permissions you have',
  tag: TAG,
  body: newRoleSchema,
  status: 201,
  response: roleSchema,
  problems: ['role-name-taken', 'more-than-you-hold'],
});

export const updateRole = defineRoute({
  method: 'PATCH',
  path: '/api/v1/role/{id}',
  access: 'roles.write',
  summary: 'Change a custom role; the change applies at once to everyone who has it',
  tag: TAG,
  params: z.object({ id: idSchema }),
  body: newRoleSchema.partial(),
  response: roleSchema,
  problems: ['not-found', 'role-name-taken', 'more-than-you-hold'],
});

export const deleteRole = defineRoute({
  method: 'DELETE',
  path: '/api/v1/role/{id}',
  access: 'roles.write',
  summary: 'Delete a custom role that nobody has',
  tag: TAG,
  params: z.object({ id: idSchema }),
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found', 'role-in-use', 'more-than-you-hold'],
});
