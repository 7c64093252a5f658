/** The browser's own engine, in a worker of its own: a pattern may keep it busy for ever, and then it is ended. */

import { searches, type Request } from "./searches";

onmessage = ({ data }: MessageEvent<Request>) => postMessage(searches(data));
