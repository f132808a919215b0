/** Stands in the bundle for the module by which the SDK reaches its platform. */

export const process = globalThis.process;

/** The SDK makes one for each server, and uses it for the answers to what a server asks its client. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server asks its client nothing.');
  }
}
