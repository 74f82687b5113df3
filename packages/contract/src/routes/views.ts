import { z } from 'zod';
import { idSchema, lineSchema, viewNameSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Views';

/** Pages whose views can be saved. */
export const VIEW_PAGES = ['fleet', 'reports'] as const;
/** The most views of one's own, and the most shared views. */
export const VIEWS_MAX = 30;

/** A saved view of a page: its name and its URL query, which contains the whole state of the page. */
export const savedViewSchema = z
  .object({
    id: z.string(),
    page: z.enum(VIEW_PAGES),
    name: z.string(),
    query: z.string(),
    /** Everybody in the account can use it; otherwise only its creator. */
    shared: z.boolean(),
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof savedViewSchema>;

export const newViewSchema = z.object({
  page: z.enum(VIEW_PAGES),
  name: viewNameSchema,
  query: lineSchema(2000),
  shared: z.boolean().default(false),
});

const params = z.object({ id: idSchema });

export const listViews = defineRoute({
  method: 'GET',
  path: '/api/v1/view',
  access: 'vehicles.read',
  summary: 'List the views of a page, your own and shared ones, in your order',
  tag: TAG,
  query: z.object({ page: z.enum(VIEW_PAGES) }),
  response: z.array(savedViewSchema),
});

export const createView = defineRoute({
  method: 'POST',
  path: '/api/v1/view',
  access: 'profile.write',
  summary: 'Save a view, for yourself or, with `views.share`, for everyone',
  tag: TAG,
  body: newViewSchema,
  status: 201,
  response: savedViewSchema,
  problems: ['view-name-taken', 'too-many-views'],
});

export const updateView = defineRoute({
  method: 'PATCH',
  path: '/api/v1/view/{id}',
  access: 'profile.write',
  summary: 'Change, rename or share a view; shared views need `views.share`',
  tag: TAG,
  params,
  body: z.object({
    name: viewNameSchema.optional(),
    query: lineSchema(2000).optional(),
    /** False makes it the caller's own. */
    shared: z.boolean().optional(),
  }),
  response: savedViewSchema,
  problems: ['not-found', 'view-name-taken', 'too-many-views'],
});

export const deleteView = defineRoute({
  method: 'DELETE',
  path: '/api/v1/view/{id}',
  access: 'profile.write',
  summary: 'Delete a view; shared views need `views.share`',
  tag: TAG,
  params,
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

export const arrangeViews = defineRoute({
  method: 'PATCH',
  path: '/api/v1/view_order',
  access: 'profile.write',
  summary: 'Set your order of a page’s views; those left out come last',
  tag: TAG,
  body: z.object({ page: z.enum(VIEW_PAGES), ids: z.array(idSchema).max(2 * VIEWS_MAX) }),
  response: z.array(savedViewSchema),
});
