import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

/** A browser's end of push messages. */
export interface PushBrowser {
  /** As its `PushSubscription` has them. */
  readonly p256dh: string;
  readonly auth: string;
  /** Decrypts a message as RFC 8291, section 3.1, tells browsers to. */
  read(body: Buffer): string;
}

export function pushBrowser(key: ECDH = newKey(), auth: Buffer = randomBytes(16)): PushBrowser {
  const derived = (secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
  return {
    p256dh: key.getPublicKey().toString('base64url'),
    auth: auth.toString('base64url'),
    read: body => {
      const salt = body.subarray(0, 16);
      const idLength = body.readUInt8(20);
      const sender = body.subarray(21, 21 + idLength);
      const sealed = body.subarray(21 + idLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), key.getPublicKey(), sender]);
      const secret = derived(key.computeSecret(sender), auth, info, 32);
      const contentKey = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
      const decipher = createDecipheriv(
        'aes-128-gcm',
        contentKey,
        derived(secret, salt, 'Content-Encoding: nonce\0', 12),
      );
      decipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      if (plain.at(-1) !== 2) throw new Error('The last record has no end mark');
      return plain.subarray(0, -1).toString();
    },
  };
}

function newKey(): ECDH {
  const key = createECDH('prime256v1');
  key.generateKeys();
  return key;
}
