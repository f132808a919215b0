/** What is used of jstat, which brings no types. */
declare module 'jstat' {
  const library: {
    readonly jStat: { readonly studentt: { inv(probability: number, degreesOfFreedom: number): number } };
  };
  export = library;
}
