"""Links that hold everything: what is too large for one is said when it's made. Run in Node.js, without a browser."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
ESBUILD = WEB / "node_modules" / ".bin" / "esbuild"
SCRIPT = """
import { pack, unpack } from "./src/playground/share.ts";

const page = "http://here/";
const told = (doing) => doing.then(() => "done", (error) => error.message);
const state = (text) => ({ template: "{}", prefix: "", text, tools: "" });
const room = 20_000_000 - JSON.stringify(state("")).length;
const noise = (length) => String.fromCharCode(...Array.from({ length }, () => 0x4e00 + Math.random() * 20_000));
const noises = (count) => Array.from({ length: count }, () => noise(10_000)).join("");

const largest = state("a".repeat(room));
console.log(JSON.stringify({
  largest: (await unpack(await pack(largest, page))).text.length === room,
  larger: await told(pack(state("a".repeat(room + 1)), page)),
  long: (await pack(state(noises(50)), page)).length > 1_000_000,
  longer: await told(pack(state(noises(150)), page)),
}));
"""


@pytest.mark.skipif(not ESBUILD.exists(), reason="the packages in web/package-lock.json aren't installed")
def test_what_can_be_made_can_be_read_and_the_rest_is_told(tmp_path: Path) -> None:
    bundle = tmp_path / "share.mjs"
    build = [str(ESBUILD), "--bundle", "--format=esm", f"--outfile={bundle}", "--log-level=error"]
    subprocess.run(build, input=SCRIPT, text=True, check=True, cwd=WEB)
    done = subprocess.run(["node", bundle], capture_output=True, text=True, check=True)
    too_large = "This is too large for a link. Save all as a case instead, or the template."
    assert json.loads(done.stdout) == {"largest": True, "larger": too_large, "long": True, "longer": too_large}
