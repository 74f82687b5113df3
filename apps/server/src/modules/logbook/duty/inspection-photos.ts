import { addInspectionPhoto, INSPECTION_PHOTOS_A_DAY, may, readInspectionPhoto } from '@milepost/contract';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { FileAnswer } from '../../../http/file-answer.ts';
import type { Http } from '../../../http/server.ts';
import { encodeImage } from '../../images/encode.ts';
import { ownTerms } from '../desk/log-access.ts';
import { signedInTo } from './entered.ts';
import { mayDriveBy } from './own-vehicles.ts';

const DAY_MS = 24 * 3_600_000;

/** Photos of defects: from a driver's phone, whenever it has a network, for the desk and for the next driver. */
export function registerInspectionPhotos(
  http: Http,
  { db }: Pick<Context, 'db'>,
  { directory, roster, visibility }: Pick<Organisation, 'directory' | 'roster' | 'visibility'>,
): void {
  http.handle(addInspectionPhoto, async ({ session, body }) => {
    const { accountId } = session;
    const { photoId: id, vehicleId, file } = body;
    await db.asAccount(accountId, trx => ownTerms(trx, session));
    const content = await encodeImage(file, 'proof');
    return db.asAccount(accountId, async trx => {
      const terms = await ownTerms(trx, session);
      const { driverId } = terms;
      const known = await trx
        .selectFrom('inspection_photo')
        .select('driver_id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (known) {
        if (known.driver_id !== driverId) throw new AppError('not-found');
        return { id };
      }
      const vehicle = directory.findById(Number(vehicleId));
      if (vehicle?.accountId !== accountId) throw new AppError('not-found');
      const isHere = (await signedInTo(trx, driverId))?.vehicleId === vehicle.id;
      if (!isHere && !mayDriveBy({ directory, roster }, accountId, terms)(vehicle)) throw new AppError('not-found');
      const { count } = await trx
        .selectFrom('inspection_photo')
        .select(trx.fn.countAll<string>().as('count'))
        .where('driver_id', '=', driverId)
        .where('written_at', '>', new Date(Date.now() - DAY_MS))
        .executeTakeFirstOrThrow();
      if (Number(count) >= INSPECTION_PHOTOS_A_DAY) {
        throw new AppError('too-many-photos', { limit: INSPECTION_PHOTOS_A_DAY });
      }
      await trx
        .insertInto('inspection_photo')
        .values({ account_id: accountId, id, vehicle_id: vehicle.id, driver_id: driverId, content })
        .onConflict(conflict => conflict.doNothing())
        .execute();
      return { id };
    });
  });

  http.handle(readInspectionPhoto, async ({ session, params }) => {
    const content = await db.asAccount(session.accountId, async trx => {
      const photo = await trx.selectFrom('inspection_photo').selectAll().where('id', '=', params.id).executeTakeFirst();
      if (!photo) throw new AppError('not-found');
      const isSeen =
        may(session, 'logbook.read') && visibility.vehicles(session).some(({ id }) => id === photo.vehicle_id);
      const driver = roster.driverOfUser(session.accountId, session.userId);
      const isOwn = driver?.id === photo.driver_id;
      const drives = driver !== null && (await signedInTo(trx, driver.id))?.vehicleId === photo.vehicle_id;
      if (!(isSeen || isOwn || drives)) throw new AppError('not-found');
      return photo.content;
    });
    return new FileAnswer(content, { type: 'image/webp', cacheControl: 'private, no-cache' });
  });
}
