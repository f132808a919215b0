/** A function that does nothing: what it takes is what Lambda and the runtime take. */
export async function handler(): Promise<object> {
  return {};
}
