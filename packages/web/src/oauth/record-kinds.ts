import { createHash } from 'node:crypto';

/** The kind of the records of one of the provider's models. */
export function kindOf(model: string): string {
  return `oauth ${model}`;
}

/** The models whose ids are shown to nobody but the client or the browser that has them. */
export const MODELS_WITH_SECRET_IDS: ReadonlySet<string> = new Set([
  'AccessToken',
  'AuthorizationCode',
  'RefreshToken',
  'Grant',
  'Session',
]);

/** The id of the record of an object with a secret id. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
