import { z } from "zod";
import { slug } from "@/lib/resources/parts/name";

const scope = z.enum(["all", "source", "agent"]);

const target = { scope, name: slug.nullable().default(null) };
const UNNAMED = { path: ["name"], message: "name the source or the agent; `all` has no name" };

/** What a pause stops: everything (`name: null`), one source, or one agent. */
export const pauseTarget = z.strictObject(target).refine(isNamed, UNNAMED);

/** `PUT /api/admin/pause`: stops calls, with a reason that agents receive. */
export const pauseInput = z
  .strictObject({ ...target, reason: z.string().trim().min(1, "enter a reason: agents receive it").max(500) })
  .refine(isNamed, UNNAMED);

/** An active pause. */
export const pauseRow = z.object({
  scope,
  name: z.string().nullable(),
  reason: z.string(),
  by: z.string(),
  since: z.iso.datetime(),
});

/** The active pauses. */
export const pauseList = z.object({ items: z.array(pauseRow) });

/** What a pause stops. */
export type PauseTarget = z.output<typeof pauseTarget>;
/** A pause to create. */
export type PauseInput = z.output<typeof pauseInput>;
/** An active pause. */
export type PauseRow = z.output<typeof pauseRow>;

/** The name of the row that pauses a target. */
export function pauseName({ scope: of, name }: PauseTarget): string {
  return of === "all" ? "all" : `${of}:${name}`;
}

function isNamed({
  scope: of,
  name,
}: {
  readonly scope: z.output<typeof scope>;
  readonly name: string | null;
}): boolean {
  return (of === "all") === (name === null);
}
