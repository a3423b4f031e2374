import { AppError } from "@/lib/errors";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import { can, type Role } from "@/lib/resources/permissions";
import {
  listsFor,
  savedViewRow,
  VIEWED_LISTS,
  type SavedViewInput,
  type SavedViewRow,
} from "@/lib/resources/saved-view";
import type { IfMatch } from "@/lib/store/config/crud";
import { db } from "@/lib/store/db/database";
import { flag, word } from "@/lib/store/db/filters";
import { Prisma, type View } from "@/lib/store/generated/client";
import { readPage, type Listing } from "@/lib/store/db/page";
import type { Model } from "@/lib/store/config/tables";

/**
 * The caller of a view operation. A view belongs to a person's id or to a token's name. An e-mail address cannot own one,
 * because it may pass to another person.
 */
export interface Viewer {
  readonly owner: `user:${string}` | `token:${string}`;
  readonly role: Role;
}

const listing: Listing = {
  of: "views",
  id: "name",
  search: ["name"],
  sort: { name: "text", resource: "text", createdAt: "time", updatedAt: "time" },
  filters: { resource: word("resource", VIEWED_LISTS), shared: flag("shared") },
};

/**
 * Saved views, with the contract of every resource. They are outside the configuration: no decision reads them, so saving
 * one creates no revision and no change row. A view that the viewer may not see is `not_found`.
 */
export const savedViews = {
  /** Own and shared views of lists that the role may read. @throws AppError `invalid_request` */
  list: async (viewer: Viewer, query: ListQuery): Promise<Page<SavedViewRow>> => {
    const page = await readPage(db().view as unknown as Model, listing, query, seenBy(viewer));
    return { ...page, items: page.items.map((record) => toRow(viewer, record as unknown as View)) };
  },

  /** @throws AppError `not_found` */
  get: async (viewer: Viewer, name: string): Promise<SavedViewRow> => toRow(viewer, await find(db(), viewer, name)),

  /** @throws AppError `conflict` when any owner has this name; `forbidden` for a list that the role may not read */
  create: async (viewer: Viewer, input: SavedViewInput): Promise<SavedViewRow> => {
    requireReadable(viewer, input);
    const now = new Date();
    return unlessTaken(input.name, async () =>
      toRow(
        viewer,
        await db().view.create({ data: { ...input, owner: viewer.owner, createdAt: now, updatedAt: now } }),
      ),
    );
  },

  /**
   * Replaces a whole view. Only its owner may.
   *
   * @throws AppError `not_found`, `forbidden`, `conflict`, `stale` with the current view
   */
  replace: async (viewer: Viewer, name: string, input: SavedViewInput, ifMatch: IfMatch): Promise<SavedViewRow> => {
    requireReadable(viewer, input);
    return unlessTaken(input.name, () =>
      db().$transaction(async (tx) => {
        const before = await locked(tx, viewer, name, ifMatch);
        if (before.owner !== viewer.owner)
          throw new AppError(
            "forbidden",
            `The view \`${name}\` belongs to another person: save it under another name.`,
          );
        // Deleted and created again, so that the sequence gives the row a revision that no row had before.
        await tx.view.delete({ where: { name } });
        const { owner, createdAt } = before;
        return toRow(viewer, await tx.view.create({ data: { ...input, owner, createdAt, updatedAt: new Date() } }));
      }),
    );
  },

  /**
   * Deletes a view. Its owner may, and an admin if it is shared, because its owner may have left.
   *
   * @throws AppError `not_found`, `forbidden`, `stale` with the current view
   */
  remove: async (viewer: Viewer, name: string, ifMatch: IfMatch = "*"): Promise<void> => {
    await db().$transaction(async (tx) => {
      const { owner } = await locked(tx, viewer, name, ifMatch);
      if (owner !== viewer.owner && !can(viewer.role, "people:write"))
        throw new AppError(
          "forbidden",
          `The view \`${name}\` belongs to another person: only that person or an admin can delete it.`,
        );
      await tx.view.delete({ where: { name } });
    });
  },
};

function seenBy({ owner, role }: Viewer): Prisma.ViewWhereInput {
  return { resource: { in: listsFor(role) }, OR: [{ owner }, { shared: true }] };
}

async function find(connection: Pick<Prisma.TransactionClient, "view">, viewer: Viewer, name: string): Promise<View> {
  const view = await connection.view.findFirst({ where: { AND: [{ name }, seenBy(viewer)] } });
  if (view === null) throw new AppError("not_found", `There is no view \`${name}\`.`);
  return view;
}

/** The view, locked until the transaction ends. */
async function locked(tx: Prisma.TransactionClient, viewer: Viewer, name: string, ifMatch: IfMatch): Promise<View> {
  await tx.$queryRaw`select name from view where name = ${name} for update`;
  const view = await find(tx, viewer, name);
  if (ifMatch !== "*" && view.revision !== ifMatch)
    throw new AppError("stale", `The view \`${name}\` has changed since.`, {
      extra: { current: toRow(viewer, view) },
    });
  return view;
}

function requireReadable({ role }: Viewer, { resource }: SavedViewInput): void {
  if (listsFor(role).includes(resource)) return;
  throw new AppError("forbidden", `The role \`${role}\` may not read ${resource}.`, {
    errors: [{ path: "resource", message: "you may not read this list" }],
  });
}

async function unlessTaken<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // Other conflicts, such as a deadlock, do not say that the name is taken.
    if (!(error instanceof AppError) || !isUniqueViolation(error.cause)) throw error;
    throw new AppError("conflict", `There is already a view \`${name}\`.`, {
      cause: error,
      errors: [{ path: "name", message: `\`${name}\` is taken` }],
    });
  }
}

function isUniqueViolation(cause: unknown): boolean {
  return cause instanceof Prisma.PrismaClientKnownRequestError && cause.code === "P2002";
}

function toRow(viewer: Viewer, { owner, ...view }: View): SavedViewRow {
  return savedViewRow.parse({
    ...view,
    mine: owner === viewer.owner,
    createdAt: view.createdAt.toISOString(),
    updatedAt: view.updatedAt.toISOString(),
  });
}
