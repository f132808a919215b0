/**
 * The options of podman for the storage that has the image `localhost/pagetree`, as JSON: the browser tests then run against
 * the image in place of `pnpm serve`. container.lab.test.ts sets it.
 */
export const IMAGE_STORAGE: readonly string[] | null =
  process.env.PAGETREE_IMAGE_STORAGE === undefined ? null : JSON.parse(process.env.PAGETREE_IMAGE_STORAGE);
