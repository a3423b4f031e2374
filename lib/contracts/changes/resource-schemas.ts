import { z } from "zod";
import { resources, type ResourceName, type ResourceShape } from "@/lib/resources/index";
import { KINDS, RESOURCE_NAMES } from "@/lib/resources/kinds";
import { settingsOutput } from "@/lib/resources/settings";
import { pageOf } from "@/lib/contracts/changes/list";
import { rowPlan, saved } from "@/lib/contracts/changes/row-plan";

/** The schema name and the schemas of one resource. */
interface ResourceSchemas {
  /** For example `ToolGroup`. Its input is then `ToolGroupInput`, and its page `ToolGroupPage`. */
  readonly schemaName: string;
  readonly page: z.ZodType;
  /** The answer of `POST`: the row with warnings, and with a secret when the app creates one. */
  readonly created: z.ZodType;
  /** The answer of `PUT`: the row with warnings, or in a dry run the plan. */
  readonly saved: z.ZodType;
}

/** What the admin API adds to each resource: the name of its schema, its page, and the answers to saving. */
export const RESOURCE_SCHEMAS = Object.fromEntries(RESOURCE_NAMES.map((name) => [name, schemasOf(name)])) as Readonly<
  Record<ResourceName, ResourceSchemas>
>;

function schemasOf(name: ResourceName): ResourceSchemas {
  const { row, created = row }: ResourceShape = resources[name];
  return {
    schemaName: KINDS[name].words[0].replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase()),
    page: pageOf(row),
    created: created.extend(saved.shape),
    saved: z.union([row.extend(saved.shape), rowPlan]),
  };
}

/** The answer of `DELETE` with a body: warnings, or in a dry run the plan. */
export const rowDeleted = z.union([rowPlan, saved]);

/** The answer of `PUT settings`: the settings, or in a dry run the plan. */
export const settingsSaved = z.union([settingsOutput, rowPlan]);
