import { oncePer } from "@/lib/access/model/once-per";
import type { Tool } from "@/lib/access/model/configuration";
import { REQUEST_ACCESS } from "@/lib/access/model/access-names";
import type { Resolution } from "@/lib/access/decide/resolution";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { listingEntry } from "@/lib/manifest/search-listing";

/** The longest grant that a schema states; a policy may allow less. */
const MAX_HOURS = 720;

/**
 * The entry of `request_access`, for callers who may request tools from a person
 * (docs/reference/http.md#access-requests); `null` for all others. It is not in the catalogue.
 */
function requestAccessEntry({ requestable }: Pick<Resolution, "requestable">): ManifestEntry | null {
  return requestable.length === 0 ? null : entryFor(requestable);
}

/** The entries of a list, with `request_access` last. */
export function withRequestAccess(
  listed: readonly ManifestEntry[],
  resolution: Pick<Resolution, "requestable">,
): readonly ManifestEntry[] {
  const entry = requestAccessEntry(resolution);
  return entry === null ? listed : [...listed, entry];
}

/** The resolver caches the requestable tools of a resolution. */
const entryFor = oncePer((requestable: readonly Tool[]): ManifestEntry =>
  listingEntry({
    name: REQUEST_ACCESS,
    displayName: "Request access",
    description:
      "Asks a person for access to a tool that you do not have now. The person answers later. When the request is granted, the tool appears in your list until the hours end.",
    acts: true,
    schema: {
      properties: {
        tool: { type: "string", enum: requestable.map(({ id }) => id), description: "The tool's id." },
        reason: { type: "string", description: "What you need the tool for. The person reads this." },
        hours: {
          type: "integer",
          minimum: 1,
          maximum: MAX_HOURS,
          description: "Hours of access. Ask for as few as the task needs.",
        },
      },
      required: ["tool", "reason", "hours"],
    },
  }),
);
