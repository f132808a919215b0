/** Opens a target, lets a study use it, and closes it however that ends. */
export async function withTarget<Target extends { close(): Promise<void> }>(
  open: () => Promise<Target>,
  use: (target: Target) => Promise<void>,
): Promise<void> {
  const target = await open();
  try {
    await use(target);
  } finally {
    await target.close();
  }
}
