/*
 * Written by `pnpm contract` when the contract changes; a test compares it with the code. Constants, since a function
 * must not compute them at its start.
 */

/** The version of the contract that this side speaks. Every change raises it, so that the older of two sides is known. */
export const CONTRACT_VERSION = 26;

/** Differs between two builds that gave different contracts the same version, as in two branches. */
export const CONTRACT_FINGERPRINT = '1bb80197d73baebc';
