/** What build.ts makes. */
declare module "virtual:accepts-report" {
  import type { Report } from "../../../interop/src/report";

  interface AcceptsReport {
    /** Whether a document is as report.schema.json has it, but for the form of its times. */
    (document: unknown): document is Report;
    /** Why the last one wasn't; the last of them says it as a whole. */
    errors: { instancePath: string; message: string }[] | null;
  }
  const acceptsReport: AcceptsReport;
  export default acceptsReport;
}
