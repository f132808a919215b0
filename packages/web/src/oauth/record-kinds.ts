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
