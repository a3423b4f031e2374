import { db } from "@/lib/store/db/database";
import { containing } from "@/lib/store/db/filters";
import { Prisma } from "@/lib/store/generated/client";

/** Most tools, and most agents, that one search looks up in the log. */
const MAX_NAMES = 500;

/** The names that a search text matches. */
export interface SearchedNames {
  readonly text: string;
  /** Tools and agents of the catalogue with the text in their names. */
  readonly tools: readonly string[];
  readonly agents: readonly string[];
}

/**
 * Finds tools and agents by parts of their names before the log is searched. A substring index on the log would slow down
 * every call, while tools and agents are few. All other columns need the whole value.
 *
 * @returns `null` without a search text
 * @throws AppError `config_unavailable`
 */
export async function namesFor(q: string | undefined): Promise<SearchedNames | null> {
  if (q === undefined || q === "") return null;
  const contains = containing(q);
  // In order: the next page and the count search the same names.
  const [tools, agents] = await Promise.all([
    db().tool.findMany({ where: { id: contains }, select: { id: true }, orderBy: { id: "asc" }, take: MAX_NAMES }),
    db().agent.findMany({
      where: { name: contains },
      select: { name: true },
      orderBy: { name: "asc" },
      take: MAX_NAMES,
    }),
  ]);
  return { text: q, tools: tools.map(({ id }) => id), agents: agents.map(({ name }) => name) };
}

/** A column of the log and the names to find in it. The column has an index that continues with the time. */
export interface Alternative {
  readonly column: Prisma.Sql;
  readonly names: readonly string[];
  /** The rows to which this alternative applies; absent = all. */
  readonly where?: Prisma.Sql;
}

/** The columns and names that a search looks for. */
export function searched({ text, tools, agents }: SearchedNames): readonly Alternative[] {
  return [
    { column: Prisma.sql`execution."callId"`, names: [text] },
    { column: Prisma.sql`execution."traceId"`, names: [text] },
    { column: Prisma.sql`execution."session"`, names: [text] },
    { column: Prisma.sql`execution."subject"`, names: [text] },
    { column: Prisma.sql`execution."agent"`, names: [text, ...agents] },
    ...ofTools([text, ...tools]),
  ];
}

/** The columns that hold tool names. For a call of an unknown tool, the requested name matches. */
export function ofTools(tools: readonly string[]): readonly Alternative[] {
  const isUnknown = Prisma.sql`execution."toolId" IS NULL`;
  return [
    { column: Prisma.sql`execution."toolId"`, names: tools },
    { column: Prisma.sql`execution."asked"`, names: tools, where: isUnknown },
  ];
}

/** A condition that matches a row with any of the alternatives. */
export function eitherOf(alternatives: readonly Alternative[]): Prisma.Sql {
  const each = alternatives.map(({ column, names, where }) => {
    const held = Prisma.sql`${column} = ANY(${names}::text[])`;
    return where === undefined ? held : Prisma.sql`(${held} AND ${where})`;
  });
  return Prisma.sql`(${Prisma.join(each, " OR ")})`;
}
