import { z } from "zod";
import { pageOf, positionCursor } from "@/lib/contracts/changes/list";

/** The query of `GET /api/admin/client-registrations`. */
export const registrationQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: positionCursor,
});

/** A client that registered itself (RFC 7591). */
export const registrationRow = z.object({
  /** The `client_id`. */
  id: z.string(),
  /** The client's own name for itself, which nobody has checked. */
  name: z.string(),
  redirectUris: z.array(z.string()),
  /** The network address that registered it; of an IPv6 address, its /64 network. */
  address: z.string(),
  /** How many people's connections it has. */
  connections: z.int(),
  createdAt: z.iso.datetime(),
  /** When it last asked a person or received a token, to the minute. */
  lastUsedAt: z.iso.datetime().nullable(),
});

/** A page of registrations, the newest first. */
export const registrationPage = pageOf(registrationRow);

/** One registration. */
export type RegistrationRow = z.output<typeof registrationRow>;
