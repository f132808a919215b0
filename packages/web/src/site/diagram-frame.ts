/** The document that draws diagrams. It has no origin, so that nothing in it reaches the wiki. */
export interface DiagramFrame {
  /** Has 2.9 MB. */
  html(): string;
  /** The digest of its HTML. */
  digest: string;
  /** Its scripts, as the policy allows them. */
  scripts: string;
}

export function diagramAddress({ digest }: DiagramFrame): string {
  return `/_/diagrams.${digest}.html`;
}

/**
 * Holds even if Mermaid does what the text of a diagram wants: no request, no storage, no window, no navigation of
 * the page. Where the frame itself may go, the policy of the page says (`frame-src`).
 */
export function diagramPolicy({ scripts }: DiagramFrame, host: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "webrtc 'block'",
    `frame-ancestors ${host}`,
    'sandbox allow-scripts',
  ].join('; ');
}
