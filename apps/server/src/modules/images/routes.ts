import { deleteMyImage, readImage, updateMyImage } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { bearerToken } from '../../http/authorise.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import type { SessionFinder } from '../../http/session.ts';
import type { SignedInCall } from '../accounts/own-password.ts';
import { audit, authorOf } from '../audit/audit.ts';
import { encodeImage } from './encode.ts';
import { dropImage, storeImage } from './store.ts';

/** A name never gets another image, so browsers may cache it forever. */
const FOR_GOOD = 'max-age=31536000, immutable';

export function registerImages(http: Http, { db }: Context, sessions: SessionFinder): void {
  http.handle(readImage, async ({ params, request }) => {
    const image = await db.system
      .selectFrom('image')
      .select(['account_id', 'kind', 'content'])
      .where('name', '=', params.file)
      .executeTakeFirst();
    if (!image) throw new AppError('not-found');
    const isPublic = image.kind !== 'user';
    if (!isPublic) {
      const token = bearerToken(request);
      const session = token === null ? null : await sessions.findByToken(token);
      if (session?.accountId !== image.account_id) throw new AppError('not-found');
    }
    const cacheControl = `${isPublic ? 'public' : 'private'}, ${FOR_GOOD}`;
    return new FileAnswer(image.content, { type: 'image/webp', cacheControl });
  });

  const replace = async (trx: AccountTransaction, call: SignedInCall, image: string | null): Promise<void> => {
    const { userId, userName } = call.session;
    const before = await trx.selectFrom('app_user').select('image').where('id', '=', userId).executeTakeFirstOrThrow();
    await trx.updateTable('app_user').set({ image }).where('id', '=', userId).execute();
    await dropImage(trx, before.image);
    await audit(trx, authorOf(call), { action: 'profile.picture-changed', target: { id: userId, name: userName } });
  };

  http.handle(updateMyImage, async call => {
    const { accountId } = call.session;
    const content = await encodeImage(call.body.file, 'user');
    return db.asAccount(accountId, async trx => {
      const image = await storeImage(trx, accountId, 'user', content);
      await replace(trx, call, image);
      return { image };
    });
  });

  http.handle(deleteMyImage, async call => {
    await db.asAccount(call.session.accountId, trx => replace(trx, call, null));
    return { ok: true as const };
  });
}
