import type { Output } from '@pagetree/wiki/contract';
import type { ToolResult } from './tool-result.ts';

/**
 * The form in which a client shows an attachment to its model: an image as such, any other file as a
 * resource. A saved file is not shown.
 */
export function attachmentResult({ content, ...attachment }: Output<'get_attachment'>): ToolResult {
  const { type, path, size } = attachment;
  const isShown = content !== null && size <= mostBytesShown;
  const note =
    content !== null && !isShown
      ? `It is too large to be shown (${size} bytes): give local_path to save it on this machine.`
      : null;
  const structuredContent = { ...attachment, content: null, note };
  const text = { type: 'text' as const, text: JSON.stringify(structuredContent) };
  if (!isShown) return { content: [text], structuredContent };
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) {
    return { content: [text, { type: 'image', data: content, mimeType: type }], structuredContent };
  }
  const uri = `attachment:${path.split('/').map(encodeURIComponent).join('/')}`;
  const isText = type.startsWith('text/') || /[/+](json|xml|yaml)$/.test(type);
  const body = isText ? { text: Buffer.from(content, 'base64').toString() } : { blob: content };
  return {
    content: [text, { type: 'resource', resource: { uri, mimeType: type, ...body } }],
    structuredContent,
  };
}

/** Clients cut or refuse larger results; an image of this size is the largest that models take. */
const mostBytesShown = 1_000_000;
