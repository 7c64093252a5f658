/** What is said between the page and the worker that runs an implementation, directly or through the sandbox. */

/** Where a module comes from: the text of a file, or an address. */
export type Origin = { source: string } | { address: string };

/** The frame, to the page that made it: it listens now, and takes an `Origin` with a port, for one worker at a time. */
export type Ready = "antiphon sandbox";

/** The frame to the worker: what to import; and the page, through the frame: a request. */
export type ToWorker = { load: string } | { ask: string };

/** The page to the frame: a request for the worker, or that the worker is to be ended. */
export type ToFrame = { ask: string } | { end: true };

/** The answer as JSON; or what went wrong, in one line; or why the worker was ended, with whatever it still says. */
export type FromWorker = { loaded: true } | { answer: string } | { fault: string } | { ended: string };
