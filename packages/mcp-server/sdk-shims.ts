/** Stands in the bundle for the module by which the SDK reaches its platform. */

/** @public */
export const process = globalThis.process;

/** The SDK makes one for each server, and uses it for the answers to what a server asks its client. @public */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server asks its client nothing.');
  }
}
