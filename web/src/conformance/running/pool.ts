/** The kit in a few workers of its own, so that a run leaves the playground's worker alone. */

import type { Calls } from "../../../interop/src/api";
import { Client } from "../../engine/client";

const MOST = 2; // each takes some 100 MB
const SECONDS = 120; // more than any case takes; what takes longer hangs

interface Member {
  client: Client;
  busy: number;
}

class Pool {
  readonly size = Math.min(MOST, navigator.hardwareConcurrency || 1);
  #members: Member[] = [];

  /** By the worker that has least to do; one is started if all are busy. */
  call = async <Name extends keyof Calls>(
    name: Name,
    request: Calls[Name]["request"],
  ): Promise<Calls[Name]["answer"]> => {
    const member = this.#choose();
    member.busy++;
    try {
      return await member.client.call(name, request, { seconds: SECONDS });
    } finally {
      member.busy--;
    }
  };

  #choose(): Member {
    const [idle] = [...this.#members].sort((one, other) => one.busy - other.busy);
    if (idle?.busy === 0 || this.#members.length === this.size) return idle;
    const member = { client: new Client({ seconds: SECONDS }), busy: 0 };
    this.#members.push(member);
    return member;
  }
}

export const pool = new Pool();
