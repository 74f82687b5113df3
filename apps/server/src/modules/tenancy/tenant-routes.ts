import {
  deleteTenantLogo,
  deleteTenantSplash,
  readTenant,
  readTenantOfHost,
  updateTenant,
  updateTenantLogo,
  updateTenantSplash,
} from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { by } from '../audit/by.ts';
import { encodeImage } from '../images/encode.ts';
import { serveManifest } from './manifest.ts';
import { changePicture, changeTenant, type Picture, readTenantRow, tenantOfHost, toBrand, toTenant } from './tenant.ts';

interface PictureCall {
  readonly params: { readonly id: string };
  readonly session: Session;
  readonly request: FastifyRequest;
}

/** The branding of an account's pages. A tenant has its account's ID. */
export function registerTenant(http: Http, context: Context): void {
  const { db } = context;

  const refuseOther = ({ params, session }: PictureCall): void => {
    if (params.id !== String(session.accountId)) throw new AppError('not-found');
  };
  const setPicture = async (call: PictureCall, picture: Picture, file: File | null) => {
    refuseOther(call);
    const content = file && (await encodeImage(file, picture));
    const tenant = await db.asAccount(call.session.accountId, trx => changePicture(trx, by(call), picture, content));
    return { tenant };
  };

  http.handle(readTenant, async ({ session }) => ({
    tenant: toTenant(await db.asAccount(session.accountId, readTenantRow)),
  }));
  http.handle(readTenantOfHost, async ({ request }) => {
    const row = await tenantOfHost(context, request.hostname);
    return { tenant: row && toBrand(row) };
  });
  http.handle(updateTenant, async call => {
    refuseOther(call);
    return { tenant: await changeTenant(context, by(call), call.body) };
  });
  http.handle(updateTenantLogo, call => setPicture(call, 'logo', call.body.file));
  http.handle(deleteTenantLogo, call => setPicture(call, 'logo', null));
  http.handle(updateTenantSplash, call => setPicture(call, 'splash', call.body.file));
  http.handle(deleteTenantSplash, call => setPicture(call, 'splash', null));

  serveManifest(http.fastify, context);
}
