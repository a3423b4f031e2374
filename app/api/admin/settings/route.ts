import { user } from "@/lib/auth/people/user";
import { requireVersion } from "@/lib/http/if-match";
import { route } from "@/lib/http/route";
import { settingsInput } from "@/lib/resources/settings";
import { readSettings, saveSettings, type VersionedSettings } from "@/lib/store/config/settings";

// GET /api/admin/settings
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async () => answer(await readSettings()),
});

// PUT /api/admin/settings: full replacement, `If-Match` the version that was read.
export const PUT = route({
  authenticate: user("settings:write"),
  body: settingsInput,
  respond: async ({ caller, body, request }) => answer(await saveSettings(caller.actor, body, requireVersion(request))),
});

function answer({ settings, version }: VersionedSettings): Response {
  return Response.json({ ...settings, version }, { headers: { etag: `"${version}"` } });
}
