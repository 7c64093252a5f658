/** The version of this package, which is that of the kit in its runtime. */
export const VERSION = "0.1.0";
