/** The files of a drop or a paste. What also has a text is a text, such as cells of a table with their picture. */
export function filesOf(data: DataTransfer | null): File[] {
  if (data === null || data.types.includes('text/plain')) return [];
  return [...data.files].map(named);
}

/** Without the characters that a link could not have; a pasted picture is always called `image.png`. */
function named(file: File): File {
  const name = file.name.replaceAll(/[[\]|#^\\/]/g, '-');
  const isPasted = /^image\.\w+$/.test(name);
  const time = new Date().toISOString().replace('T', ' ').replaceAll(':', '.').slice(0, 23);
  return new File([file], isPasted ? name.replace('image', `Image ${time}`) : name, { type: file.type });
}
