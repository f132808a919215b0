import type { Output } from '@pagetree/wiki/contract';
import { type FileContent, successResult, type ToolResult } from './tool-result.ts';

/**
 * The form in which a client shows an attachment to its model: an image as such, any other file as a
 * resource. A saved file is not shown.
 */
export function attachmentResult(
  { content, ...attachment }: Output<'get_attachment'>,
  structured: boolean,
): ToolResult {
  const isShown = content !== null && attachment.size <= MAX_SHOWN_BYTES;
  const note =
    content !== null && !isShown
      ? `It is too large to be shown (${attachment.size} bytes): give local_path to save it on this machine.`
      : null;
  const { content: text, ...rest } = successResult(
    'get_attachment',
    { ...attachment, content: null, note },
    structured,
  );
  return isShown ? { content: [...text, shown(attachment, content)], ...rest } : { content: text, ...rest };
}

function shown({ type, path }: { type: string; path: string }, content: string): FileContent {
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return { type: 'image', data: content, mimeType: type };
  const uri = `attachment:${path.split('/').map(encodeURIComponent).join('/')}`;
  const isText = type.startsWith('text/') || /[/+](json|xml|yaml)$/.test(type);
  const body = isText ? { text: Buffer.from(content, 'base64').toString() } : { blob: content };
  return { type: 'resource', resource: { uri, mimeType: type, ...body } };
}

/** Clients cut or refuse larger results; an image of this size is the largest that models take. */
const MAX_SHOWN_BYTES = 1_000_000;
