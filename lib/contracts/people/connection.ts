import { z } from "zod";
import { jsonObject } from "@/lib/resources/parts/name";
import { pageOf, positionCursor } from "@/lib/contracts/changes/list";

/** The query of `GET /api/admin/connections`. */
export const connectionQuery = z.strictObject({
  /** `everyone` needs the permission `people:read`. */
  of: z.enum(["me", "everyone"]).default("me"),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: positionCursor,
});

/** A person's consent that a client acts as an agent. */
export const connectionRow = z.object({
  id: z.string(),
  /** The name of the person; `null` when the person was deleted. */
  person: z.string().nullable(),
  /** The OAuth `client_id`. */
  client: z.string(),
  clientName: z.string(),
  agent: z.string(),
  scopes: z.array(z.string()),
  /** The claims of its access tokens without times and ids of tokens, for a preview. */
  claims: jsonObject,
  createdAt: z.iso.datetime(),
  /** When the client last received a token, to the minute. */
  lastUsedAt: z.iso.datetime().nullable(),
});

/** A page of connections, the newest first. */
export const connectionPage = pageOf(connectionRow);

/** The id of a connection. */
export const connectionTarget = z.object({ id: z.uuid() });

/** The query of a list of connections. */
export type ConnectionQuery = z.output<typeof connectionQuery>;
/** One connection. */
export type ConnectionRow = z.output<typeof connectionRow>;
