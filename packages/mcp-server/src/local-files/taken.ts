/** The answer of a call, and the bytes of the file that came with it. */
export async function taken<Output>(
  call: (takeBytes: (bytes: Uint8Array) => void) => Promise<Output>,
): Promise<{ output: Output; bytes: Uint8Array }> {
  let bytes: Uint8Array = new Uint8Array();
  const output = await call((given) => {
    bytes = given;
  });
  return { output, bytes };
}
