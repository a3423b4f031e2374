import { db } from "@/lib/store/database";
import { Prisma } from "@/lib/store/generated/client";
import { translated } from "@/lib/store/translate";

/** Names that are looked for in the log at most, of each kind. */
const MOST_NAMES = 500;

/** What a text that is searched for stands for in the log. */
export interface SearchedNames {
  readonly text: string;
  /** Tools and agents of the catalogue with the text in their names. */
  readonly tools: readonly string[];
  readonly agents: readonly string[];
}

/**
 * What a search finds, before the log is asked: an index over parts of words would cost every call that is logged, while
 * tools and agents are few. Everything else, and what is no longer in the catalogue, is found by its whole name.
 *
 * @returns `null` for no search
 * @throws AppError `config_unavailable`
 */
export async function namesFor(q: string | undefined): Promise<SearchedNames | null> {
  if (q === undefined || q === "") return null;
  const contains = { contains: q, mode: "insensitive" } as const;
  const [tools, agents] = await translated(() =>
    Promise.all([
      db().tool.findMany({ where: { id: contains }, select: { id: true }, take: MOST_NAMES }),
      db().agent.findMany({ where: { name: contains }, select: { name: true }, take: MOST_NAMES }),
    ]),
  );
  return { text: q, tools: tools.map(({ id }) => id), agents: agents.map(({ name }) => name) };
}

/** The calls that a search finds: each part has an index of the log. */
export function searchSql({ text, tools, agents }: SearchedNames): Prisma.Sql {
  return Prisma.sql`(execution."callId" = ${text} OR "traceId" = ${text} OR "session" = ${text} OR "subject" = ${text}
    OR "agent" = ANY(${[text, ...agents]}::text[]) OR "toolId" = ANY(${[text, ...tools]}::text[])
    OR ("toolId" IS NULL AND "asked" = ${text}))`;
}
