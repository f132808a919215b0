import type { Link } from '../markdown/markdown.ts';

/** The parts of a link that say where it leads. */
export type LinkAddress = Pick<Link, 'kind' | 'target' | 'query' | 'anchor'>;
