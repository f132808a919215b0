/** The used part of jstat, which ships no types. */
declare module 'jstat' {
  const library: {
    readonly jStat: { readonly studentt: { inv(probability: number, degreesOfFreedom: number): number } };
  };
  export = library;
}
