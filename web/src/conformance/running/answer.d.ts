/** What the port's adapter exports; it is written in JavaScript, and checked there. */
declare module "*/adapters/javascript/src/answer.mjs" {
  export function answer(request: unknown): object;
}
