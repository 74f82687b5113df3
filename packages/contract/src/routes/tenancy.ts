import { z } from 'zod';
import { idSchema, personNameSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Tenant';

const colourSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, issue('color'));

/** A tenant's public branding, shown before sign-in. */
export const brandSchema = z
  .object({
    name: z.string(),
    /** File names under `/api/v1/uploaded-img/` [R3.07], or null. */
    logoUrl: z.string().nullable(),
    splashScreenUrl: z.string().nullable(),
    /** The splash image is shown [R2.19]. */
    isTenantSplashImg: z.boolean(),
    primaryColour: z.string(),
    secondaryColour: z.string(),
    activeColour: z.string(),
  })
  .meta({ id: 'Brand' });
export type Brand = z.infer<typeof brandSchema>;

export const tenantSchema = brandSchema
  .extend({
    id: z.string(),
    /** At this host name, the sign-in page, the manifest and the icons are this tenant's. */
    hostName: z.string().nullable(),
  })
  .meta({ id: 'Tenant' });
export type Tenant = z.infer<typeof tenantSchema>;

const HOST_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

export const tenantChangeSchema = z
  .object({
    name: personNameSchema,
    isTenantSplashImg: z.boolean(),
    primaryColour: colourSchema,
    secondaryColour: colourSchema,
    activeColour: colourSchema,
    hostName: z.preprocess(
      value => (value === '' ? null : value),
      z.string().trim().toLowerCase().regex(HOST_NAME, issue('host-name')).nullable(),
    ),
  })
  .partial();

const params = z.object({ id: idSchema });
const answer = z.object({ tenant: tenantSchema });
/** PNG, JPEG or WebP; the server detects the type and re-encodes the image. */
const imageBody = z.object({
  file: z.file(issue('image')).max(2 * 1024 * 1024, issue('image-file', { limitBytes: 2 * 1024 * 1024 })),
});

export const readTenant = defineRoute({
  method: 'GET',
  path: '/api/v1/tenant',
  access: 'signed-in',
  summary: 'Read the tenant of the signed-in user',
  tag: TAG,
  response: z.object({ tenant: tenantSchema.nullable() }),
  conditional: true,
});

export const readTenantOfHost = defineRoute({
  method: 'GET',
  path: '/api/v1/tenant_of_host',
  access: 'public',
  summary: 'Read the branding for this host name, before sign-in',
  tag: TAG,
  response: z.object({ tenant: brandSchema.nullable() }),
  conditional: true,
});

export const updateTenant = defineRoute({
  method: 'PATCH',
  path: '/api/v1/tenant/{id}',
  access: 'tenant.write',
  summary: 'Change the name, colors, host name and whether the splash image is shown',
  tag: TAG,
  params,
  body: tenantChangeSchema,
  response: answer,
  problems: ['not-found', 'host-name-taken'],
});

export const updateTenantLogo = defineRoute({
  method: 'PATCH',
  path: '/api/v1/tenant_logo/{id}',
  access: 'tenant.write',
  summary: 'Set the logo',
  tag: TAG,
  params,
  body: imageBody,
  bodyType: 'multipart/form-data',
  response: answer,
  problems: ['not-found', 'not-an-image', 'payload-too-large'],
});

export const deleteTenantLogo = defineRoute({
  method: 'DELETE',
  path: '/api/v1/tenant_logo/{id}',
  access: 'tenant.write',
  summary: 'Restore the default logo',
  tag: TAG,
  params,
  response: answer,
  problems: ['not-found'],
});

export const updateTenantSplash = defineRoute({
  method: 'PATCH',
  path: '/api/v1/tenant_splash/{id}',
  access: 'tenant.write',
  summary: 'Set the splash image',
  tag: TAG,
  params,
  body: imageBody,
  bodyType: 'multipart/form-data',
  response: answer,
  problems: ['not-found', 'not-an-image', 'payload-too-large'],
});

export const deleteTenantSplash = defineRoute({
  method: 'DELETE',
  path: '/api/v1/tenant_splash/{id}',
  access: 'tenant.write',
  summary: 'Remove the splash image and turn it off',
  tag: TAG,
  params,
  response: answer,
  problems: ['not-found'],
});
