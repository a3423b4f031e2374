import { z } from "zod";
import { slug } from "@/lib/resources/parts/name";

/** The body of `POST /api/admin/connection-requests/{id}`: the agent that the client acts as; `null` declines. */
export const connectionRequestAnswer = z.strictObject({ agent: slug.nullable() });

/** Where the browser goes next: back to the client, by way of the authorization server. */
export const connectionRequestAnswered = z.object({ location: z.string() });
