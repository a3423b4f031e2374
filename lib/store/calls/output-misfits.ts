import { db } from "@/lib/store/db/database";

/** A result that did not match its tool's output schema and was passed on. */
interface OutputMisfit {
  readonly toolId: string;
  readonly definitionHash: string;
  /** A JSON pointer into the result. */
  readonly pointer: string;
  readonly message: string;
  readonly callId: string;
}

/** Stores the first misfit of a tool's definition. The caller redacts and shortens its texts. */
export async function writeMisfit({ toolId, definitionHash, pointer, message, callId }: OutputMisfit): Promise<void> {
  await db().$executeRaw`
    INSERT INTO output_misfit ("toolId", "definitionHash", "pointer", "message", "callId", "at")
    VALUES (${toolId}, ${definitionHash}, ${pointer}, ${message}, ${callId}, now())
    ON CONFLICT ("toolId") DO UPDATE SET "definitionHash" = EXCLUDED."definitionHash", "pointer" = EXCLUDED."pointer",
      "message" = EXCLUDED."message", "callId" = EXCLUDED."callId", "at" = EXCLUDED."at"
    WHERE output_misfit."definitionHash" <> EXCLUDED."definitionHash"`;
}

/** Every stored misfit. Its tool may have changed since. */
export function listMisfits(): Promise<OutputMisfit[]> {
  return db().outputMisfit.findMany({ omit: { at: true }, orderBy: { toolId: "asc" } });
}
