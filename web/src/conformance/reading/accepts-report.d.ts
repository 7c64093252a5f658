/** What build.ts makes. */
declare module "virtual:accepts-report" {
  /** Whether a document is as report.schema.json has it, but for the form of its times. */
  export default function acceptsReport(document: unknown): boolean;
}
