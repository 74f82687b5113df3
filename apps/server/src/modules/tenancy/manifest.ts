import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type TenantRow, tenantOfHost, toBrand } from './tenant.ts';

const SIZES = [192, 512] as const;
/** Icons are public, so each is drawn only once. */
const ICONS_KEPT = 64;
/** W3C Web App Manifest, "safe zone" of a maskable icon: a circle of four fifths of its width. */
const SAFE_SHARE = 0.56;
const PLAIN_SHARE = 0.84;

/**
 * The install manifest and icons of the tenant with the requested host name; without its own logo, the app's icons
 * from its files.
 */
export function serveManifest(fastify: FastifyInstance, context: Context): void {
  fastify.get('/manifest.webmanifest', async (request, reply) => {
    const row = await tenantOfHost(context, request.hostname);
    reply.header('cache-control', 'no-cache').type('application/manifest+json');
    return reply.send(JSON.stringify(manifestOf(row)));
  });

  const drawn = new Map<string, Promise<Buffer>>();
  const draw = (file: string, logo: Buffer, icon: Icon, colour: string): Promise<Buffer> => {
    const known = drawn.get(file);
    if (known) return known;
    if (drawn.size >= ICONS_KEPT) drawn.clear();
    const drawing = drawIcon(logo, icon, colour);
    drawn.set(file, drawing);
    return drawing;
  };

  // The file's name contains its logo and color, so that a new icon has a new address.
  fastify.get<{ Params: { file: string } }>('/icons/tenant/:file', async (request, reply) => {
    const row = await tenantOfHost(context, request.hostname);
    const icon = row && iconsOf(row).find(each => each.file === request.params.file);
    if (!row?.logo || !icon) throw new AppError('not-found');
    const image = await context.db.system
      .selectFrom('image')
      .select('content')
      .where('name', '=', row.logo)
      .executeTakeFirst();
    if (!image) throw new AppError('not-found');
    reply.header('cache-control', 'public, max-age=31536000, immutable').type('image/png');
    return reply.send(await draw(icon.file, image.content, icon, toBrand(row).primaryColour));
  });
}

interface Icon {
  readonly file: string;
  readonly size: number;
  readonly purpose: 'any' | 'maskable';
}

function iconsOf({ logo, primary_colour }: TenantRow): Icon[] {
  if (!logo) return [];
  const made = `${logo.slice(0, 12)}-${(primary_colour ?? 'default').replace('#', '')}`;
  return SIZES.flatMap(size =>
    (['any', 'maskable'] as const).map(purpose => ({ file: `${made}-${purpose}-${size}.png`, size, purpose })),
  );
}

/** Draws the logo in the center: alone, or on the tenant's color with a margin for any shape that a phone crops to. */
function drawIcon(logo: Buffer, { size, purpose }: Icon, colour: string): Promise<Buffer> {
  const inner = Math.round(size * (purpose === 'maskable' ? SAFE_SHARE : PLAIN_SHARE));
  const background = purpose === 'maskable' ? colour : { r: 0, g: 0, b: 0, alpha: 0 };
  const [before, after] = [Math.floor((size - inner) / 2), Math.ceil((size - inner) / 2)];
  return sharp(logo)
    .resize({ width: inner, height: inner, fit: 'contain', background })
    .extend({ top: before, left: before, bottom: after, right: after, background })
    .flatten(purpose === 'maskable' ? { background: colour } : false)
    .png()
    .toBuffer();
}

const OWN_ICONS = [
  { src: '/icons/mark.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];
/** The characters that fit under an icon. */
const SHORT_NAME = 12;

function manifestOf(row: TenantRow | null) {
  // Without any branding, the app has its own name.
  const brand = row && (row.logo || row.primary_colour || row.host_name) ? toBrand(row) : null;
  const name = brand?.name ?? 'Milepost';
  const colour = brand?.primaryColour ?? '#002e5c';
  const icons = row ? iconsOf(row) : [];
  return {
    id: '/',
    name,
    short_name: name.length <= SHORT_NAME ? name : (name.split(/\s/)[0] ?? name).slice(0, SHORT_NAME),
    description: 'Fleet and vehicle tracking with an electronic logbook',
    lang: 'en-US',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: colour,
    theme_color: colour,
    categories: ['business', 'navigation'],
    icons:
      icons.length === 0
        ? OWN_ICONS
        : icons.map(({ file, size, purpose }) => ({
            src: `/icons/tenant/${file}`,
            sizes: `${size}x${size}`,
            type: 'image/png',
            purpose,
          })),
  };
}
