import { ErrorTable } from "@/components/docs/error-table";
import { QuickStart } from "@/components/docs/quick-start";
import { WithCode } from "@/components/ui/json/with-code";
import { openApi } from "@/lib/contracts/openapi/document";
import { publicOrigin } from "@/lib/env";
import { ERRORS } from "@/lib/errors";

/** The first page of the documentation: the quick start and the table of errors. */
export default function DocsPage() {
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold">Tools for your agent, in five minutes</h1>
        {openApi.info.description.split("\n\n").map((paragraph) => (
          <WithCode as="p" key={paragraph} className="mt-2 max-w-prose text-muted" text={paragraph} />
        ))}
      </div>
      <QuickStart origin={publicOrigin()} />
      <section id="errors" aria-labelledby="errors-title" className="scroll-mt-4">
        <h2 id="errors-title" className="text-lg font-semibold">
          Errors
        </h2>
        <p className="mt-1 mb-2 max-w-prose text-muted">
          <WithCode text="Let your program read `code`, not the text. A problem document has `type`, `title`, `status`, `detail`, `code`, `retryable`, `request_id` and `errors`, a list of `path` and `message`; a tool call result has the code in `error`." />
        </p>
        <ErrorTable errors={ERRORS} />
      </section>
    </>
  );
}
