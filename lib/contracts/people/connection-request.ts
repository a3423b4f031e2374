import { z } from "zod";
import { slug } from "@/lib/resources/parts/name";

/** The id of a request, which is a secret of the browser in which it began. */
export const connectionRequestTarget = z.object({ id: z.string().min(1).max(64) });

/** The body of `POST /api/admin/connection-requests/{id}`: the agent that the client acts as; `null` declines. */
export const connectionRequestAnswer = z.strictObject({ agent: slug.nullable() });

/** Where the browser goes next: back to the client, by way of the authorization server. */
export const connectionRequestAnswered = z.object({ location: z.string() });
