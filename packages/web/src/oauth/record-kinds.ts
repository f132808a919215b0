import { createHash } from 'node:crypto';

/** The models of the provider that are stored. */
type Model = (typeof MODELS)[number];

/** Throws for a name that is none: then the names of its classes were lost, and nobody would find the records. */
export function modelOf(name: string): Model {
  const model = MODELS.find((each) => each === name);
  if (model === undefined) throw new Error(`There is no model ${name} of oidc-provider.`);
  return model;
}

/** The kind of the records of one of the provider's models. */
export function kindOf(model: Model): string {
  return `oauth ${model}`;
}

/** The models whose ids are shown to nobody but the client or the browser that has them. */
export const MODELS_WITH_SECRET_IDS: ReadonlySet<Model> = new Set<Model>([
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

const MODELS = [
  'AccessToken',
  'AuthorizationCode',
  'Client',
  'Grant',
  'Interaction',
  'RefreshToken',
  'Session',
] as const;
