import { createECDH } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pushBrowser } from '../../../testing/push-browser.ts';
import { encryptPush, PAYLOAD_BYTES } from './encrypt.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const keyOf = (privateKey: string) => {
  const key = createECDH('prime256v1');
  key.setPrivateKey(bytes(privateKey));
  return key;
};

it('encrypts the example of RFC 8291, section 5 and appendix A, to the last bit', () => {
  const message = encryptPush(
    Buffer.from('When I grow up, I want to be a watermelon'),
    {
      p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
      auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
    },
    keyOf('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  );
  expect(message.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  const browser = pushBrowser(keyOf('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'), bytes('BTBZMqHH6r4Tts7J_aSIgg'));
  expect(browser.read(message)).toBe('When I grow up, I want to be a watermelon');
});

it('is read by the browser it is for and by no other, within 4096 bytes', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 900 });
  fc.assert(
    fc.property(texts, text => {
      const browser = pushBrowser();
      const keys = { p256dh: bytes(browser.p256dh), auth: bytes(browser.auth) };
      const message = encryptPush(Buffer.from(text), keys);
      expect(browser.read(message)).toBe(Buffer.from(text).toString());
      expect(() => pushBrowser().read(message)).toThrow();
      message[message.length - 1] = (message.at(-1) ?? 0) ^ 1;
      expect(() => browser.read(message)).toThrow();
    }),
    { numRuns: 50 },
  );
  const { auth, p256dh } = pushBrowser();
  const longest = encryptPush(Buffer.alloc(PAYLOAD_BYTES), { p256dh: bytes(p256dh), auth: bytes(auth) });
  expect(longest.length).toBeLessThanOrEqual(4096);
});
