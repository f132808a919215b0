/** The elements of MathML that KaTeX makes. */
export const MATH_NAMES: ReadonlySet<string> = new Set(
  'math mrow mi mn mo ms mtext mspace mover munder munderover msub msup msubsup mfrac msqrt mroot mtable mtr mtd mstyle mpadded mphantom menclose merror'.split(
    ' ',
  ),
);
