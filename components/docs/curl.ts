import type { DocumentedOperation } from "@/components/docs/chapters";
import { exampleOf } from "@/components/docs/example";
import type { OpenApiDocument } from "@/lib/contracts/operations/open-api";

/** A request as a curl line for a POSIX shell; address and credential come from environment variables. */
export function toCurl(operation: DocumentedOperation, document: OpenApiDocument): string {
  const { method, path, parameters = [], requestBody, security } = operation;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const search = query.map(({ name }) => `${name}=…`).join("&");
  const key = security.some((scheme) => "agent" in scheme) ? "QUARTERMASTER_KEY" : "QUARTERMASTER_TOKEN";
  const headers = parameters.filter((parameter) => parameter.in === "header" && parameter.required);
  const body = requestBody?.content["application/json"]?.schema;
  return [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} "$QUARTERMASTER_URL${address}${search === "" ? "" : `?${search}`}"`,
    ...(security.length === 0 ? [] : [`-H "Authorization: Bearer $${key}"`]),
    ...headers.map(({ name }) => `-H '${name}: "…"'`),
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(exampleOf(body, document)).replaceAll("'", `'\\''`)}'`,
        ]),
  ].join(" \\\n  ");
}
