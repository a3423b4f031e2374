import { z } from "zod";
import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import { RESOURCE_SCHEMAS, rowDeleted } from "@/lib/contracts/changes/resource-schemas";
import { EXPORT_TYPES, exportQuery } from "@/lib/contracts/changes/export";
import { resources, type ResourceName } from "@/lib/resources/index";
import { RESOURCE_NAMES } from "@/lib/resources/kinds";
import { listQuery } from "@/lib/contracts/changes/list";
import { replaceQuery, rowPlan, saveQuery } from "@/lib/contracts/changes/row-plan";

const DRY_RUN = "With `dryRun=true` the answer is the plan, and nothing is saved.";
const params = z.object({ id: z.string().min(1).max(400) });

/** The contracts of a resource's six operations. */
export type ResourceContracts = ReturnType<typeof contractsOf>;

/** The six contracts of every resource, derived from the table of resources: a new resource needs no entry here. */
export const RESOURCE_CONTRACTS = Object.fromEntries(
  RESOURCE_NAMES.map((name) => [name, contractsOf(name)]),
) as Readonly<Record<ResourceName, ResourceContracts>>;

/** The contracts of every resource by operation id. */
export const RESOURCE_OPERATIONS: Contracts = Object.fromEntries(
  RESOURCE_NAMES.flatMap((name) => {
    const [one, many] = resources[name].words.map((words) => words.toLowerCase().replaceAll(" ", "_"));
    return Object.entries(RESOURCE_CONTRACTS[name]).map(([verb, contract]) => [
      `${verb}_${verb === "list" || verb === "export" ? many : one}`,
      contract,
    ]);
  }),
);

function contractsOf(name: ResourceName) {
  return { ...listContracts(name), ...rowContracts(name) };
}

function listContracts(name: ResourceName) {
  const { input, words, read, write } = resources[name];
  const { page, created } = RESOURCE_SCHEMAS[name];
  const [one, many] = words;
  return {
    list: {
      ...at.get(`/api/admin/${name}`),
      chapter: name,
      summary: `List ${many}`,
      who: read,
      query: listQuery,
      answers: [ok("A page; `total` counts every match, up to 10,000.", page)],
    },
    export: {
      ...at.get(`/api/admin/exports/${name}`),
      chapter: name,
      summary: `Export ${many} as CSV or JSONL`,
      description: "Every row that matches the search and filters, in the order of the list, as a file.",
      who: read,
      query: exportQuery,
      answers: [{ status: 200, description: "One row per line.", types: Object.values(EXPORT_TYPES) }],
    },
    create: {
      ...at.post(`/api/admin/${name}`),
      chapter: name,
      summary: `Create ${withArticle(one)}`,
      description: `${DRY_RUN} If the row gets a secret, the answer shows it only once.`,
      who: write,
      reviewed: true,
      query: saveQuery,
      body: input,
      answers: [
        ok("The plan of a dry run.", rowPlan),
        { status: 201, description: `The new ${one}.`, schema: created, etag: true },
      ],
      errors: ["conflict"],
    },
  } as const satisfies Contracts;
}

function rowContracts(name: ResourceName) {
  const { input, row, words, read, write } = resources[name];
  const [one] = words;
  const path = `/api/admin/${name}/{id}` as const;
  return {
    read: {
      ...at.get(path),
      chapter: name,
      summary: `Read ${withArticle(one)}`,
      who: read,
      params,
      answers: [{ status: 200, description: `The ${one}.`, schema: row, etag: true }],
    },
    replace: {
      ...at.put(path),
      chapter: name,
      summary: `Replace ${withArticle(one)}`,
      description: `Replaces the whole row: an omitted field gets its default. Another name renames the row; while other rows name it, that is refused, or with \`followRename=true\` these rows get the new name of a group or persona. ${DRY_RUN}`,
      who: write,
      reviewed: true,
      params,
      headers: ["If-Match"],
      query: replaceQuery,
      body: input,
      answers: [ok(`The ${one}, or the plan of a dry run.`, RESOURCE_SCHEMAS[name].saved)],
      errors: ["conflict", "in_use"],
    },
    delete: {
      ...at.delete(path),
      chapter: name,
      summary: `Delete ${withArticle(one)}`,
      description: `Refused while another row uses it; the answer names those rows. ${DRY_RUN}`,
      who: write,
      reviewed: true,
      params,
      query: saveQuery,
      headers: ["If-Match?"],
      answers: [
        ok("Deleted, with warnings; or the plan of a dry run.", rowDeleted),
        { status: 204, description: "Deleted." },
      ],
      errors: ["conflict", "in_use"],
    },
  } as const satisfies Contracts;
}

function withArticle(word: string): string {
  return `${/^[AEIO]/i.test(word) ? "an" : "a"} ${word}`;
}
