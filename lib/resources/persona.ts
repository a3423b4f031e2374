import { z } from "zod";
import { description, jsonObject, meta, slug } from "@/lib/resources/parts/name";

/** A persona as an admin writes it. */
export const personaInput = z.strictObject({
  name: slug,
  description: description.default(""),
  capabilities: z.array(z.string().min(1).max(200)).max(500).default([]),
  sampleClaims: jsonObject.default({}),
});

/** A stored persona. */
export const personaRow = z.object({ ...personaInput.shape, ...meta });
