import { db } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { translated } from "@/lib/store/db/translate";

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

/** A column of the log that may hold one of several names, each found by an index that goes on in the order of time. */
export interface Alternative {
  readonly column: Prisma.Sql;
  readonly names: readonly string[];
  /** When the column counts. */
  readonly where?: Prisma.Sql;
}

/** Where the calls are that a search finds. */
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

/** Where the calls of tools are: what was asked for and was no tool here is found by what was asked. */
export function ofTools(tools: readonly string[]): readonly Alternative[] {
  const none = Prisma.sql`execution."toolId" IS NULL`;
  return [
    { column: Prisma.sql`execution."toolId"`, names: tools },
    { column: Prisma.sql`execution."asked"`, names: tools, where: none },
  ];
}

/** Any of them, as a condition on one row. */
export function eitherOf(alternatives: readonly Alternative[]): Prisma.Sql {
  const each = alternatives.map(({ column, names, where }) => {
    const held = Prisma.sql`${column} = ANY(${names}::text[])`;
    return where === undefined ? held : Prisma.sql`(${held} AND ${where})`;
  });
  return Prisma.sql`(${Prisma.join(each, " OR ")})`;
}
