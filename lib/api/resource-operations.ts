import { z } from "zod";
import type { Operation } from "@/lib/api/operation";
import { RESOURCE_SCHEMAS } from "@/lib/api/schemas";
import { resources, type ResourceName } from "@/lib/resources/index";
import { listQuery } from "@/lib/resources/list";

const params = z.object({ id: z.string().min(1).max(400) });

/** The five operations of every resource, from the table of resources: a new one is described by being there. */
export const RESOURCE_OPERATIONS: readonly Operation[] = (Object.keys(resources) as ResourceName[]).flatMap(
  operationsOf,
);

function operationsOf(name: ResourceName): Operation[] {
  const { input, row, words, read, write } = resources[name];
  const { page, created } = RESOURCE_SCHEMAS[name];
  const [one, many] = words;
  const [single, plural] = [identifier(one), identifier(many)];
  const article = /^[AEIOaeio]/.test(one) ? "an" : "a";
  const list = `/api/admin/${name}` as const;
  const item = `${list}/{id}` as const;
  const stored = { status: 200, description: `The ${one}.`, schema: row, etag: true } as const;
  const tag = "resources";
  return [
    {
      id: `list_${plural}`,
      method: "get",
      path: list,
      tag,
      resource: name,
      summary: `List ${many}`,
      who: read,
      query: listQuery,
      answers: [{ status: 200, description: "A page; `total` counts all that match.", schema: page }],
    },
    {
      id: `create_${single}`,
      method: "post",
      path: list,
      tag,
      resource: name,
      summary: `Create ${article} ${one}`,
      ...(created === row ? {} : { description: "The answer holds the secret, this once." }),
      who: write,
      body: input,
      answers: [{ status: 201, description: `The new ${one}.`, schema: created, etag: true }],
      errors: ["conflict"],
    },
    {
      id: `read_${single}`,
      method: "get",
      path: item,
      tag,
      resource: name,
      summary: `Read ${article} ${one}`,
      who: read,
      params,
      answers: [stored],
    },
    {
      id: `replace_${single}`,
      method: "put",
      path: item,
      tag,
      resource: name,
      summary: `Replace ${article} ${one}`,
      description: "The whole of it: a field that is left out gets its default.",
      who: write,
      params,
      headers: ["If-Match"],
      body: input,
      answers: [stored],
      errors: ["conflict", "in_use"],
    },
    {
      id: `delete_${single}`,
      method: "delete",
      path: item,
      tag,
      resource: name,
      summary: `Delete ${article} ${one}`,
      description: "Refused while something uses it; the answer names the users.",
      who: write,
      params,
      headers: ["If-Match?"],
      answers: [{ status: 204, description: "Deleted." }],
      errors: ["conflict", "in_use"],
    },
  ];
}

function identifier(words: string): string {
  return words.toLowerCase().replaceAll(" ", "_");
}
