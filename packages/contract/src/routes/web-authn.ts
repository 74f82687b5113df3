import { z } from 'zod';

/** Passkey messages between browser and server: the JSON forms of Web Authentication Level 3, section 5. */

const base64url = z.string().regex(/^[\w-]+$/);
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
const VERIFICATIONS = ['discouraged', 'preferred', 'required'] as const;

const knownPasskeySchema = z.object({
  id: base64url,
  type: z.literal('public-key'),
  transports: z.array(z.enum(TRANSPORTS)).optional(),
});

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyCreationSchema = z.object({
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: base64url, name: z.string(), displayName: z.string() }),
  challenge: base64url,
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.number().optional(),
  excludeCredentials: z.array(knownPasskeySchema).optional(),
  authenticatorSelection: z
    .object({
      residentKey: z.enum(VERIFICATIONS).optional(),
      requireResidentKey: z.boolean().optional(),
      userVerification: z.enum(VERIFICATIONS).optional(),
    })
    .optional(),
  attestation: z.literal('none').optional(),
});
export type PasskeyCreation = z.infer<typeof passkeyCreationSchema>;

/** `PublicKeyCredentialRequestOptionsJSON`. */
export const passkeyRequestSchema = z.object({
  challenge: base64url,
  rpId: z.string().optional(),
  timeout: z.number().optional(),
  userVerification: z.enum(VERIFICATIONS).optional(),
});
export type PasskeyRequest = z.infer<typeof passkeyRequestSchema>;

const bytes = base64url.max(16_384);
const answer = {
  id: base64url.max(1400),
  rawId: base64url.max(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).optional(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** `RegistrationResponseJSON`: the new passkey. */
export const passkeyAnswerSchema = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.enum(TRANSPORTS)).optional().catch(undefined),
  }),
});

/** `AuthenticationResponseJSON`: a passkey's signature. */
export const passkeyAnswerToSignInSchema = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: base64url.max(200).optional(),
  }),
});
