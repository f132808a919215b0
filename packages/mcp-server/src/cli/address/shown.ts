/** Foreign text in one short line, without anything that a terminal obeys. */
export function shown(text: string): string {
  const plain = text.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim();
  return plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS)}...` : plain;
}

const MAX_CHARACTERS = 150;
