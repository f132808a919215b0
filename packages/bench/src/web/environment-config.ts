/** The environment that the measured servers inherit. */
export const ENVIRONMENT = process.env;
