import { z } from "zod";
import type { Operation } from "@/lib/contracts/operations/operation";
import { RESOURCE_SCHEMAS, rowDeleted } from "@/lib/contracts/operations/schemas";
import { EXPORT_TYPES, exportQuery } from "@/lib/contracts/changes/export";
import { resources, type ResourceName } from "@/lib/resources/index";
import { listQuery } from "@/lib/contracts/changes/list";
import { rowPlan, saveQuery } from "@/lib/contracts/changes/row-plan";

const DRY_RUN = "`dryRun=true` answers the plan and saves nothing.";
const params = z.object({ id: z.string().min(1).max(400) });

/** The six operations of every resource, derived from the table of resources: a new resource needs no entry here. */
export const RESOURCE_OPERATIONS: readonly Operation[] = (Object.keys(resources) as ResourceName[]).flatMap(
  operationsOf,
);

function operationsOf(name: ResourceName): Operation[] {
  const { input, row, words, read, write } = resources[name];
  const { page, created, saved } = RESOURCE_SCHEMAS[name];
  const [one, many] = words;
  const [single, plural] = [identifier(one), identifier(many)];
  const article = /^[AEIOaeio]/.test(one) ? "an" : "a";
  const list = `/api/admin/${name}` as const;
  const item = `${list}/{id}` as const;
  const stored = { status: 200, description: `The ${one}.`, schema: row, etag: true } as const;
  return [
    {
      id: `list_${plural}`,
      method: "get",
      path: list,
      chapter: name,
      summary: `List ${many}`,
      who: read,
      query: listQuery,
      answers: [{ status: 200, description: "A page; `total` counts all that match, up to 10,000.", schema: page }],
    },
    {
      id: `export_${plural}`,
      method: "get",
      path: `/api/admin/exports/${name}`,
      chapter: name,
      summary: `Export ${many} as CSV or JSONL`,
      description: "Every row that the list matches, with its search, filters and order, as a file.",
      who: read,
      query: exportQuery,
      answers: [{ status: 200, description: "One row a line.", types: Object.values(EXPORT_TYPES) }],
    },
    {
      id: `create_${single}`,
      method: "post",
      path: list,
      chapter: name,
      summary: `Create ${article} ${one}`,
      description: `${DRY_RUN} A secret that is made is in the answer, this once.`,
      who: write,
      query: saveQuery,
      body: input,
      answers: [
        { status: 200, description: "The plan of a dry run.", schema: rowPlan },
        { status: 201, description: `The new ${one}.`, schema: created, etag: true },
      ],
      errors: ["conflict"],
    },
    {
      id: `read_${single}`,
      method: "get",
      path: item,
      chapter: name,
      summary: `Read ${article} ${one}`,
      who: read,
      params,
      answers: [stored],
    },
    {
      id: `replace_${single}`,
      method: "put",
      path: item,
      chapter: name,
      summary: `Replace ${article} ${one}`,
      description: `The whole of it: a field that is left out gets its default. ${DRY_RUN}`,
      who: write,
      params,
      headers: ["If-Match"],
      query: saveQuery,
      body: input,
      answers: [{ status: 200, description: `The ${one}, or the plan of a dry run.`, schema: saved }],
      errors: ["conflict", "in_use"],
    },
    {
      id: `delete_${single}`,
      method: "delete",
      path: item,
      chapter: name,
      summary: `Delete ${article} ${one}`,
      description: `Refused while something uses it; the answer names the users. ${DRY_RUN}`,
      who: write,
      params,
      query: saveQuery,
      headers: ["If-Match?"],
      answers: [
        { status: 200, description: "Deleted, with warnings; or the plan of a dry run.", schema: rowDeleted },
        { status: 204, description: "Deleted." },
      ],
      errors: ["conflict", "in_use"],
    },
  ];
}

function identifier(words: string): string {
  return words.toLowerCase().replaceAll(" ", "_");
}
