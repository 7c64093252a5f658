/** The same in a worker. */

const worker = new Worker(new URL("page.mjs", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => {
  document.querySelector("output").textContent = JSON.stringify(data);
};
